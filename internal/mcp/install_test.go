package mcp

import (
	"archive/zip"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

const (
	module  = "github.com/brennerlint/brennerlint"
	version = "v0.1.0"
)

// TestInstall checks that one `go install` of the program's package, from a module
// proxy, gives everything: the server, the check of drafts, the hooks.
func TestInstall(t *testing.T) {
	testenv.SkipBuilds(t)
	bin, work := install(t), t.TempDir()
	run := func(stdin string, args ...string) (string, error) {
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Env, cmd.Stdin = work, []string{"PATH="}, strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("", "--version"); err != nil || out != "brennerlint "+strings.TrimPrefix(version, "v")+"\n" {
		t.Errorf("--version says %q, %v", out, err)
	}
	if out, err := run(`{"subject": "INFO x", "body_md": "x"}`, "presend"); err == nil || !strings.Contains(out, "MB-001") {
		t.Errorf("presend says %q, %v", out, err)
	}
	if out, err := run("", "init", "--hook", "claude"); err != nil {
		t.Errorf("init says %q, %v", out, err)
	}
	if data, err := os.ReadFile(filepath.Join(work, ".claude", "settings.json")); err != nil || !strings.Contains(string(data), "presend --hook claude") {
		t.Errorf("the hook is %q, %v", data, err)
	}
	server := exec.Command(bin, "mcp")
	server.Dir, server.Env = work, []string{"PATH="}
	session := connect(t, &mcp.CommandTransport{Command: server})
	if text, failed := call(t, session, "check_message", map[string]any{"subject": "INFO x", "body_md": "x"}); failed || !strings.Contains(text, "MB-001") {
		t.Errorf("check_message says %q", text)
	}
}

// install installs the program from a proxy that has the checkout as a version of the
// module, and from the modules that are on this machine.
func install(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	must.OK(t, err)
	downloads := filepath.Join(strings.TrimSpace(string(out)), "cache", "download")
	if _, err := os.Stat(downloads); err != nil {
		t.Skipf("no downloaded modules: %v", err)
	}
	dir := t.TempDir()
	serveModule(t, filepath.Join(dir, "proxy", filepath.FromSlash(module), "@v"))
	bin := filepath.Join(dir, "bin")
	cmd := exec.Command("go", "install", "-trimpath", module+"/cmd/brennerlint@"+version) // -trimpath: what was built once is in the cache
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GOBIN="+bin, "GOMODCACHE="+filepath.Join(dir, "mod"), "GOFLAGS=-modcacherw", "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local",
		"GONOPROXY=", "GOPRIVATE=", "GOPROXY="+fileURL(filepath.Join(dir, "proxy"))+","+fileURL(downloads))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	found, err := filepath.Glob(filepath.Join(bin, "*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("installed are %q, %v", found, err)
	}
	return found[0]
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // of a drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// serveModule writes what a module proxy has of the checkout, tests left out.
func serveModule(t *testing.T, dir string) {
	t.Helper()
	root := filepath.Join("..", "..")
	gomod := must.Read(t, filepath.Join(root, "go.mod"))
	for name, data := range map[string][]byte{"list": []byte(version + "\n"), version + ".mod": gomod, version + ".info": []byte(`{"Version": "` + version + `"}`)} {
		must.Write(t, filepath.Join(dir, name), data)
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	must.OK(t, err)
	defer f.Close()
	z := zip.NewWriter(f)
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "docs"):
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		w, err := z.Create(module + "@" + version + "/" + path)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	if err == nil {
		err = z.Close()
	}
	must.OK(t, err)
}
