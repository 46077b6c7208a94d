package sitegen

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/brennerlint/brennerlint/internal/ledger"
)

// built is the site of this repository; the program is not built for it.
var built = sync.OnceValues(func() (map[string][]byte, error) {
	return Build(os.DirFS("../.."), Options{Version: "test", Engine: []byte("engine"), Loader: []byte("loader"), Licenses: []byte("licences")})
})

// page returns a page of the site.
func page(t *testing.T, name string) string {
	t.Helper()
	files, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if files[name] == nil {
		t.Fatalf("there is no %s among %q", name, slices.Sorted(maps.Keys(files)))
	}
	return string(files[name])
}

func TestSite(t *testing.T) {
	for name, want := range map[string][]string{
		"index.html":            {`href="docs/rules.html"`, `href="playground/index.html"`, `href="https://github.com/brennerlint/brennerlint/tree/main/examples"`, `src="docs/images/flow.svg"`, `<div class="hero">` + "\n" + `<h1 id="brennerlint">`},
		"docs/rules.html":       {`id="rule-search"`, `src="../rules.js"`, `<a href="../rules/doc/MB-005.html">MB-005</a>`},
		"rules/doc/MB-005.html": {`<h1 id="mb-005-delta-json">`, `<a href="../../docs/rules.html">Rules</a>`, `href="../../playground/index.html#v1=`, `<h3 id="trailing-comma">`, `specs/message_body_schema_v0.1.md`},
		"docs/ci.html":          {`src="code-scanning-alert.svg"`},
		"docs/formats.html":     {`aria-current="page">Formats</a>`, `src="images/statistics.svg"`, `src="images/page.png"`},
		"docs/conformance.html": {`<a href="../rules/doc/MB-001.html">MB-001</a>`},
		"CHANGELOG.html":        {`<h1 id="changelog">`},
		"playground/index.html": {`src="playground.js"`, `<option value="delta.md">`},
		"sw.js":                 {`"playground/engine.bin"`, `"index.html"`},
	} {
		text := page(t, name)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %s", name, w)
			}
		}
	}
	files, _ := built()
	for name, want := range map[string][]string{"rules/doc/": {"MB-001.html", "index.html"}, "docs/images/": {"page.png"}} {
		for _, w := range want {
			if files[name+w] == nil {
				t.Errorf("there is no %s", name+w)
			}
		}
	}
	if strings.Contains(string(files["sw.js"]), `"dev"`) {
		t.Error("the service worker has no version")
	}
}

// TestLinks follows every link within the site; Build fails on one that leads nowhere.
func TestLinks(t *testing.T) {
	page(t, "index.html")
	files, _ := built()
	broken, n := brokenLinks(files)
	if len(broken) > 0 || n < 5000 {
		t.Errorf("of %d links broken are %q", n, broken)
	}
	some := map[string][]byte{"a.html": []byte(`<a href="b/c.html#d">x</a> <a href="b/c.html#e">x</a> <img src="no.png"><a href="#f">x</a><a href="https://example.org">x</a>`), "b/c.html": []byte(`<h1 id="d">x</h1>`)}
	if broken, n := brokenLinks(some); !slices.Equal(broken, []string{"a.html: b/c.html#e", "a.html: no.png", "a.html: #f"}) || n != 4 {
		t.Errorf("of %d links broken are %q", n, broken)
	}
}

var inline = regexp.MustCompile(`<style|\sstyle=|\son[a-z]+="|<script(?:>| type="module">)|javascript:`)

// TestPolicy checks that each page has a policy, and nothing that the policy forbids.
func TestPolicy(t *testing.T) {
	page(t, "index.html")
	files, _ := built()
	for name, data := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		if want := `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;self&#39;`; strings.Count(string(data), want) != 1 {
			t.Errorf("%s has no policy", name)
		}
		head, _, _ := bytes.Cut(data, []byte("<article>")) // texts of pages are escaped
		if found := inline.Find(head); found != nil {
			t.Errorf("%s has %s", name, found)
		}
	}
}

// TestPlaygroundLinks decodes the playground links of a rule's examples.
func TestPlaygroundLinks(t *testing.T) {
	m := regexp.MustCompile(`playground/index\.html#v1=([\w-]+)"`).FindStringSubmatch(page(t, "rules/doc/MB-005.html"))
	if m == nil {
		t.Fatal("there is no link")
	}
	packed, err := base64.RawURLEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Text, Name, Kind string }
	if err := json.Unmarshal(data, &got); err != nil || got.Name != "message.md" || got.Kind != "auto" || !strings.Contains(got.Text, `"anchors": ["§161", "§205",]`) {
		t.Errorf("%s: %v", data, err)
	}
}

func TestSameBytes(t *testing.T) {
	page(t, "index.html")
	first, _ := built()
	again, err := Build(os.DirFS("../.."), Options{Version: "test", Engine: []byte("engine"), Loader: []byte("loader"), Licenses: []byte("licences")})
	if err != nil || !maps.EqualFunc(first, again, bytes.Equal) {
		t.Errorf("two builds differ; error %v", err)
	}
}

func TestSlugs(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range [][2]string{
		{"What it does", "what-it-does"}, {"`--fix` & more", "--fix--more"}, {"What it does", "what-it-does-1"}, {"MB-005 delta_json: Größe", "mb-005-delta_json-größe"},
	} {
		if got := slug(strings.ReplaceAll(c[0], "`", ""), taken); got != c[1] {
			t.Errorf("%q is %q, want %q", c[0], got, c[1])
		}
	}
}

// TestFaultyPages checks that a page with a broken link or with HTML is refused.
func TestFaultyPages(t *testing.T) {
	good := fstest.MapFS{}
	for _, name := range []string{"site/page.html", "site/sw.js", "site/theme.js", "site/rules.js", "site/icon.svg", "site/playground/worker.js"} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		good[name] = &fstest.MapFile{Data: data}
	}
	for _, name := range slices.Concat(styles, modules) {
		good[name] = &fstest.MapFile{}
	}
	for _, e := range examples {
		good[e.From] = &fstest.MapFile{}
	}
	good[home] = &fstest.MapFile{Data: []byte("# Home\n\nText.\n\n## Install\n")}
	for _, g := range navigation {
		for _, at := range g.pages {
			good[at] = &fstest.MapFile{Data: []byte("# Title\n\n| A |\n|---|\n| b |\n")}
			if at == ledger.Path {
				good[at] = &fstest.MapFile{}
			}
		}
	}
	if _, err := Build(good, Options{}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a link to nothing":   {"# Title\n\n[x](nowhere.md)\n", "docs/watch.md: link to nowhere.md: "},
		"a link out":          {"# Title\n\n[x](../../secret)\n", "docs/watch.md: link to ../../secret: "},
		"an anchor of nobody": {"# Title\n\n[x](ci.md#no)\n", "broken links: docs/watch.html: ci.html#no"},
		"HTML":                {"# Title\n\nx <b onclick=\"x\">y</b>\n", "docs/watch.md: HTML: <b onclick=\"x\">"},
		"a block of HTML":     {"# Title\n\n<script>x</script>\n", "docs/watch.md: HTML: <script>"},
		"no title":            {"Text\n", "docs/watch.md has no title"},
	} {
		bad := maps.Clone(good)
		bad["docs/watch.md"] = &fstest.MapFile{Data: []byte(c.text)}
		if _, err := Build(bad, Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}
