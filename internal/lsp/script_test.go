package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/must"
)

var update = flag.Bool("update", false, "write what the server answers")

var fileContent = regexp.MustCompile(`"\$file:([^"]+)"`)

// TestSessions plays the sessions of testdata. A session is an archive: the file
// session has the messages that the client sends, each on a line after "> " (after
// ">> " without waiting for what it causes), and below each what the server sends,
// indented. "$file:NAME" is the content of a file of the archive as a JSON string;
// config.yaml is the configuration, and "> config NAME" replaces it. Files below
// workspace/ are written to a folder, which $root is the URI of; "> write FILE NAME"
// writes another file of the archive there, and "> remove FILE" removes one.
func TestSessions(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "session", "*.txtar"))
	if err != nil || len(paths) < 3 {
		t.Fatalf("%d sessions: %v", len(paths), err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path) // a session may be in another folder
		must.OK(t, err)
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			must.OK(t, err)
			p := &play{t: t, files: map[string][]byte{}}
			var script *txtar.File
			for i := range a.Files {
				p.files[a.Files[i].Name] = a.Files[i].Data
				if a.Files[i].Name == "session" {
					script = &a.Files[i]
				}
			}
			if script == nil {
				t.Fatal("no session")
			}
			got := p.run(script.Data)
			switch {
			case *update:
				script.Data = got
				must.Write(t, path, txtar.Format(a))
			case !bytes.Equal(got, script.Data):
				t.Errorf("the session is (-want +got):\n%s", cmp.Diff(string(script.Data), string(got)))
			}
		})
	}
}

// play is a session that is played.
type play struct {
	t      *testing.T
	files  map[string][]byte
	client *testClient
	out    bytes.Buffer
	pulls  bool
	root   string // the URI of the workspace folder, "" if there is none
}

func (p *play) run(script []byte) []byte {
	opts := testOptions()
	opts.Load = func(string) (Settings, error) {
		var o Settings
		if p.root != "" {
			o.Paths = []string{"."}
		}
		data := p.files["config.yaml"]
		if data == nil {
			return o, nil
		}
		c, err := config.Parse(config.FileName, data, opts.Rules)
		if err != nil {
			return o, err
		}
		c.Apply(&o.Options, opts.Rules)
		return o, nil
	}
	p.makeWorkspace()
	p.client = start(p.t, opts)
	p.client.log = p.write
	for line := range strings.Lines(string(script)) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		p.out.WriteString(line)
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "> config "):
			p.files["config.yaml"] = p.files[strings.TrimPrefix(line, "> config ")]
		case strings.HasPrefix(line, "> write "):
			path, name, _ := strings.Cut(strings.TrimPrefix(line, "> write "), " ")
			must.Write(p.t, path, p.files[name])
		case strings.HasPrefix(line, "> remove "):
			if err := os.Remove(strings.TrimPrefix(line, "> remove ")); err != nil {
				p.t.Fatal(err)
			}
		case strings.HasPrefix(line, ">> "):
			p.send(strings.TrimPrefix(line, ">> "))
		case strings.HasPrefix(line, "> "):
			p.play(strings.TrimPrefix(line, "> "))
		}
	}
	p.client.in.Close()
	for m := range p.client.messages {
		p.write(m)
	}
	return p.out.Bytes()
}

// makeWorkspace writes the files of the workspace, and goes to their folder.
func (p *play) makeWorkspace() {
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		path, ok := strings.CutPrefix(name, "workspace/")
		if !ok {
			continue
		}
		if p.root == "" {
			dir, err := filepath.EvalSymlinks(p.t.TempDir())
			if err != nil {
				p.t.Fatal(err)
			}
			p.t.Chdir(dir)
			p.root = (&client{root: dir}).uriOf(dir)
		}
		must.Write(p.t, path, p.files[name])
	}
}

func (p *play) send(line string) map[string]any {
	line = fileContent.ReplaceAllStringFunc(line, func(found string) string {
		data, ok := p.files[fileContent.FindStringSubmatch(found)[1]]
		if !ok {
			p.t.Fatalf("%s is not in the archive", found)
		}
		quoted, err := json.Marshal(string(data))
		if err != nil {
			p.t.Fatal(err)
		}
		return string(quoted)
	})
	line = strings.ReplaceAll(line, "$root", p.root)
	var m map[string]any
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		p.t.Fatalf("%s: %v", line, err)
	}
	if m["jsonrpc"] == nil {
		m["jsonrpc"] = "2.0"
	}
	p.client.send(m)
	return m
}

// play sends a message and waits for what it causes.
func (p *play) play(line string) {
	m := p.send(line)
	method, _ := m["method"].(string)
	if m["id"] != nil {
		p.client.response(m["id"])
		if method == "initialize" {
			p.pulls = strings.Contains(line, `"diagnostic"`)
		}
		return
	}
	switch method {
	case "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "workspace/didChangeWatchedFiles":
		if !p.pulls {
			p.client.await("diagnostics", func(m map[string]any) bool { return m["method"] == "textDocument/publishDiagnostics" })
		}
	case "exit":
		err := <-p.client.ended
		if err != nil && !errors.Is(err, ErrNoShutdown) {
			p.t.Fatal(err)
		}
		fmt.Fprintf(&p.out, "  ended: %v\n", err)
	}
}

// write writes what the server sends.
func (p *play) write(m map[string]any) {
	delete(m, "jsonrpc")
	p.out.WriteString("  ")
	p.value(m, "  ")
	p.out.WriteString("\n")
}

// value writes a value on one line if it fits.
func (p *play) value(v any, indent string) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		p.t.Fatal(err)
	}
	line := strings.TrimSpace(b.String())
	if p.root != "" {
		line = strings.ReplaceAll(line, p.root, "$root")
	}
	object, isObject := v.(map[string]any)
	list, isList := v.([]any)
	const width = 110
	switch {
	case len(line) <= width || !isObject && !isList:
		p.out.WriteString(line)
	case isList:
		p.out.WriteString("[")
		for i, v := range list {
			p.member(i, "", v, indent)
		}
		p.out.WriteString("\n" + indent + "]")
	default:
		p.out.WriteString("{")
		for i, name := range slices.Sorted(maps.Keys(object)) {
			p.member(i, strconv.Quote(name)+": ", object[name], indent)
		}
		p.out.WriteString("\n" + indent + "}")
	}
}

func (p *play) member(i int, name string, v any, indent string) {
	if i > 0 {
		p.out.WriteString(",")
	}
	p.out.WriteString("\n" + indent + "  " + name)
	p.value(v, indent+"  ")
}
