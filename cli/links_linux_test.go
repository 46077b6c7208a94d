package cli

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// secret is what is in files outside of the tree that is checked. It must
// not be shown, whatever leads there.
const secret = "hunter2"

// outsideOf returns a folder to check and one beside it that holds secrets: as mail, as
// an artifact, as a database and as plain text.
func outsideOf(t *testing.T) (in, out string) {
	t.Helper()
	top := t.TempDir()
	in, out = filepath.Join(top, "in"), filepath.Join(top, "out")
	database := readFile(t, "../testdata/corpus/realmail/storage.sqlite3")
	files := map[string]string{
		"out/mail.json":          message(secret, secret),
		"out/RS-20251230-x.md":   artifactHead + "### " + secret + "\n",
		"out/storage.sqlite3":    database,
		"out/plain":              secret + "\n",
		"out/artifacts/x.md":     artifactHead + "### " + secret + "\n",
		"out/.brennerlint.yaml":  secret + ": 1\n",
		"in/mail.json":           message("KICKOFF: x", "x"),
		"in/share/manifest.json": `{"database": {}}`,
	}
	writeFiles(t, top, files)
	return in, out
}

// ended runs the program, which must end by itself, and returns all its output.
func ended(t *testing.T, dir string, args ...string) (said string, status int) {
	t.Helper()
	testenv.SkipUnderRace(t)
	c := program(dir, args...)
	var out bytes.Buffer
	c.Stdout = &out
	stderr, status := started(t, c)()
	return out.String() + stderr, status
}

// TestLinksOutOfTheTree plants links that lead out of the tree wherever a file is
// looked for, and pipes without a writer.
func TestLinksOutOfTheTree(t *testing.T) {
	link := func(to string) func(string) error {
		return func(path string) error { return os.Symlink(to, path) }
	}
	for _, c := range []struct {
		name, target string // the link, and what it leads to; a pipe without it
		status       int
	}{
		{"link.json", "mail.json", 0},
		{"artifacts", "artifacts", 0},
		{"artifacts.md", "RS-20251230-x.md", 0},
		{"storage.sqlite3", "storage.sqlite3", 0},
		{"pipe.json", "", 0},
		{"storage.sqlite3", "", 0},
		{"share/mailbox.sqlite3", "storage.sqlite3", exitUsage},
		{"share/mailbox.sqlite3", "", exitUsage},
		{"share/mailbox.sqlite3.config.json", "plain", exitUsage},
		{"share/mailbox.sqlite3.config.json", "", exitUsage},
		{"share/chunks", "", exitUsage},
		{"share/chunks", "artifacts", exitUsage},
	} {
		in, out := outsideOf(t)
		plant := link(filepath.Join(out, c.target))
		if c.target == "" {
			plant = func(path string) error { fifo(t, path); return nil }
		}
		must.OK(t, plant(filepath.Join(in, c.name)))
		for _, args := range [][]string{{"."}, {"**"}, {"--fix", "--unsafe-fixes", "."}, {"replay", "."}, {"--format", "sarif", "."}, {"--format", "html", "."}} {
			said, status := ended(t, in, append(args, "--no-config", "--scope", "all")...)
			if args[0] == "replay" || args[0] == "--fix" || args[0] == "**" {
				continue // what counts is that it ends, and what follows
			}
			if strings.Contains(said, secret) || (status == exitUsage) != (c.status == exitUsage) {
				t.Errorf("%s to %q, %q: status %d\n%s", c.name, c.target, args, status, said)
			}
		}
	}
}

// TestFilesBesideDatabases plants a link and a pipe for the log and the journal of
// a database.
func TestFilesBesideDatabases(t *testing.T) {
	for _, suffix := range []string{"-wal", "-journal"} {
		for _, pipe := range []bool{false, true} {
			in, out := outsideOf(t)
			data := readFile(t, filepath.Join(out, "storage.sqlite3"))
			path := filepath.Join(in, "storage.sqlite3")
			must.Write(t, path, data)
			if pipe {
				fifo(t, path+suffix)
			} else if err := os.Symlink(filepath.Join(out, "plain"), path+suffix); err != nil {
				t.Fatal(err)
			}
			said, status := ended(t, in, "--no-config", "storage.sqlite3")
			if refused := strings.Contains(said, "it is not a regular file") || strings.Contains(said, "it is a link that leads out"); strings.Contains(said, secret) || refused != (suffix == "-wal") || refused != (status == exitUsage) {
				t.Errorf("%s, pipe %v: status %d\n%s", suffix, pipe, status, said)
			}
		}
	}
}

// TestLinksInZip checks that an entry of a zip that is a link is read as what it
// is, a few bytes of text.
func TestLinksInZip(t *testing.T) {
	in, out := outsideOf(t)
	for _, name := range []string{"mailbox.sqlite3", "snapshot/mailbox.sqlite3", "../out/mailbox.sqlite3"} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: name}
		h.SetMode(fs.ModeSymlink | 0o777)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(filepath.Join(out, "storage.sqlite3")))
		}
		if err == nil {
			err = z.Close()
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(in, "a.zip"), b.Bytes(), 0o644)
		}
		must.OK(t, err)
		if said, status := ended(t, in, "--no-config", "a.zip"); status != exitUsage || strings.Contains(said, "GreenDog") {
			t.Errorf("%s: status %d\n%s", name, status, said)
		}
	}
}

// TestPathsInInputs checks that what inputs say of files (thread ids, links,
// attachments, manifests) opens none, and that patterns of a configuration
// follow no link.
func TestPathsInInputs(t *testing.T) {
	in, out := outsideOf(t)
	up := "../out/RS-20251230-x"
	for name, text := range map[string]string{
		"mail.json":                         strings.ReplaceAll(message("COMPILED: v1 artifact", "# Artifact\n\nSee artifacts/"+up+".md, [here]("+up+".md), "+filepath.Join(out, "mail.json")+" and file://"+out+"/plain\n\n![x]("+up+".md)\n"), "RS-20251230-cell-fate", up),
		"artifacts/x.md":                    "---\nsession_id: " + up + "\nversion: 1\n---\n" + artifactHead + "### H1: x [x](" + up + ".md)\n",
		"share/mailbox.sqlite3.config.json": `{"chunk_count": 1, "pattern": "../../out/plain", "chunks": ["` + out + `/plain"]}`,
		"share/manifest.json":               `{"database": {"path": "` + out + `/storage.sqlite3", "chunk_manifest": {"pattern": "../../out/{index}"}}, "attachments": {"items": [{"media_type": "x", "path": "` + out + `/plain"}]}}`,
		".brennerlint.yaml":                 "include: ['**']\nartifacts-dir: ../out\n",
	} {
		must.Write(t, filepath.Join(in, name), text)
	}
	must.OK(t, os.Symlink(out, filepath.Join(in, "linked")))
	before := contents(t, filepath.Dir(in))
	for _, args := range [][]string{{}, {"--format", "html"}, {"--fix", "--unsafe-fixes"}, {"replay", "."}, {"blame", "artifacts/x.md"}, {"presend", "--thread", ".", "mail.json"}} {
		if said, _ := ended(t, in, args...); strings.Contains(said, secret) {
			t.Errorf("%q shows what is outside:\n%s", args, said)
		}
	}
	for path, data := range contents(t, filepath.Dir(in)) {
		if before[path] != data && path != filepath.Join(in, "artifacts", "x.md") {
			t.Errorf("%s was changed", path)
		}
	}
}
