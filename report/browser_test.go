package report

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// browser returns a Chromium, "" if there is none.
func browser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// visit is a page and a driver: a script that sees the finished page, may use it as people do,
// and reports something about it. It is the only other script that the page's policy is made to
// allow.
type visit struct {
	page             []byte
	fragment, driver string
}

// visited returns what drivers report, as JSON by the names of the visits. One browser shows all
// pages, each in a frame, because it takes long to start.
func visited(t *testing.T, visits map[string]visit) map[string]json.RawMessage {
	t.Helper()
	dir := t.TempDir()
	frames := script(t, "frames.html")
	for name, v := range visits {
		driver := "\nconst visit = " + strconv.Quote(name) + ";\n" + script(t, "ready.js") + script(t, v.driver)
		page := bytes.Replace(v.page, []byte("script-src '"), []byte("script-src '"+cspHash(driver)+"' '"), 1)
		page = bytes.Replace(page, []byte("</body>"), []byte("<script type=\"module\">"+driver+"</script></body>"), 1)
		must.Write(t, filepath.Join(dir, name+".html"), page)
		frames += "<iframe src=\"" + name + ".html" + html.EscapeString(v.fragment) + "\"></iframe>\n"
	}
	path := filepath.Join(dir, "all.html")
	must.Write(t, path, []byte(frames))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, browser(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--virtual-time-budget=20000", "--dump-dom", "file://"+path)
	dom, err := c.Output()
	must.OK(t, err)
	reports := map[string]json.RawMessage{}
	if m := driverResult.FindSubmatch(dom); m != nil {
		must.OK(t, json.Unmarshal([]byte(html.UnescapeString(string(m[1]))), &reports))
	}
	if len(reports) < len(visits) {
		t.Fatalf("%d of %d drivers have reported:\n%.3000s", len(reports), len(visits), dom)
	}
	return reports
}

// script returns a script of testdata/page. ready.js waits for the page, and offers drivers what
// people do: press waits until the page has followed.
func script(t *testing.T, name string) string {
	t.Helper()
	return string(must.Read(t, filepath.Join("testdata", "page", name)))
}

var driverResult = regexp.MustCompile(`data-result="([^"]*)"`)

// pwn is what a text does that gets a browser to run it.
const pwn = `document.documentElement.setAttribute('pwned',1)`

// injections try to leave the text and attributes of a page.
var injections = []string{
	"<script>" + pwn + "</script>", "</script><script>" + pwn + "</script>", "</style><script>" + pwn + "</script>",
	`<img src=x onerror="` + pwn + `">`, `"><img src=x onerror=` + pwn + `>`, `' autofocus onfocus='` + pwn, `" autofocus onfocus="` + pwn + `" x="`,
	`<svg onload="` + pwn + `">`, `<svg><script>` + pwn + `</script></svg>`, "<math><mtext></p><script>" + pwn + "</script>",
	`<iframe srcdoc="<script>parent.` + pwn + `</script>">`, `<details open ontoggle="` + pwn + `">`, `<input autofocus onfocus="` + pwn + `">`,
	"--><script>" + pwn + "</script>", "]]><script>" + pwn + "</script>", "</title><script>" + pwn + "</script>", "</textarea><script>" + pwn + "</script>",
	`<meta http-equiv="refresh" content="0;url=javascript:` + pwn + `">`, `<base href="http://example.invalid/">`, `<a href="javascript:` + pwn + `">x</a>`,
	`<body onload="` + pwn + `">`, "<template><script>" + pwn + "</script></template>", "\x00<script>" + pwn + "</script>", "<\x00script>" + pwn + "</script>",
	"＜script＞" + pwn + "＜/script＞", "+ADw-script+AD4-" + pwn + "+ADw-/script+AD4-", "&lt;script&gt;" + pwn, "&#60;script&#62;" + pwn + "&#60;/script&#62;",
	`<style>*{background:url("http://example.invalid/")}</style>`, `<form action="http://example.invalid/"><button>x</button></form>`,
}

// TestBrowser uses pages as people do, in a browser, and shows it hostile texts in all places of
// a page.
func TestBrowser(t *testing.T) {
	if browser() == "" || testing.Short() {
		t.Skip("no Chromium on the PATH")
	}
	page := write(t, "html", threads(), Options{})
	visits := map[string]visit{
		"pwned":    {[]byte("<!DOCTYPE html><html data-ready=1><body><p>x" + injections[3] + "</body>"), "", "openall.js"},
		"hostile":  {write(t, "html", everywhere(strings.Join(injections, "\n")+strings.Join(injections, "")), Options{}), "", "openall.js"},
		"filters":  {page, "", "filters.js"},
		"address":  {page, "#q=fault&rule=MB-005&severity=error&clean=1", "address.js"},
		"timeline": {page, "", "timeline.js"},
		"empty":    {write(t, "html", clear(), Options{}), "", "groups.js"},
		"absent":   {page, "#q=absent", "groups.js"},
	}
	if testenv.Nightly() {
		visits["large"] = visit{write(t, "html", large(4000), Options{}), "", "more.js"}
	}
	reports := visited(t, visits)
	for name, want := range map[string]map[string]any{
		"filters": {
			"all":      []any{6., 2., "6 findings in 2 threads or files", ""},
			"severity": []any{3., 1., "3 of 6 findings in 1 thread or file", "#severity=warning,info"},
			"rule":     []any{2., 1., "2 of 6 findings in 1 thread or file", "#rule=MB-005&severity=warning,info"},
			"search":   []any{1., 1., "1 of 6 findings in 1 thread or file", "#q=Another+WORD"},
			"agent":    []any{2., 1., "2 of 6 findings in 1 thread or file", "#agent=BlueLake&severity=error", "", 1.},
			"off":      []any{3., 2., "3 of 6 findings in 2 threads or files", "#severity=error"},
			"thread":   []any{2., 1., "2 of 6 findings in 1 thread or file", "#thread=RS-1&severity=error", 4.},
		},
		"address": { // is the filter
			"findings": 0., "q": "fault", "boxes": []any{true, false, false},
			"chips": []any{"rule MB-005 ×", "Clear all", "2 threads and 1 file without findings, 1 on this page"},
		},
		"timeline": {
			"rows": []any{
				"1 applied 1 rejected 1 dropped 2 errors 1 warning 1 info",
				"v1 1 applied 1 rejected 1 dropped published differs in 1 item starts from nothing, depends on the order of deltas of one instant",
			},
			"lanes": []any{"RedFox", "BlueLake", "unknown"},
			"tabs":  []any{"Deltas 3", "Published against replayed 1", "Changes 1", "State and blame", "Message"},
			"deltas": []any{
				"rejectedEDITT9BlueLake · message 2 · delta 3MR-001 there is no T9", "appliedADDH1BlueLake · message 2 · delta 1",
				"droppedEDITH2BlueLake · message 2 · delta 2the item is killed at the same instant",
			},
			"focus":     "Published against replayed 1",
			"published": []any{"H1 claimcells count to twoby BlueLake · message 2 · delta 1cells count to three"},
			"blame":     []any{"set in v1 by BlueLake · message 2 · delta 1"},
			"opened":    "DELTA DELTA[gpt]: ",
			"lines":     []any{30., 31., 32., 33., 34., 35.},
			"inOrder":   true,
		},
		"empty":  {"groups": "Nothing was found.", "shown": "0 findings"},
		"absent": {"groups": "Nothing matches the filter.", "shown": "0 of 6 findings"},
		"large":  {"groups": 80., "rows": 10.}, // more groups when asked
	} {
		if _, ok := visits[name]; !ok {
			continue
		}
		var got map[string]any
		must.OK(t, json.Unmarshal(reports[name], &got))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}

	var control, dom string
	must.OK(t, json.Unmarshal(reports["pwned"], &control))
	must.OK(t, json.Unmarshal(reports["hostile"], &dom))
	if !strings.Contains(control, `pwned="1"`) {
		t.Errorf("the test would not notice a script that runs:\n%s", control)
	}
	checkShown(t, dom)
}

// checkShown holds that a browser has found no element, attribute or script but ours in a page of
// hostile texts.
func checkShown(t *testing.T, dom string) {
	t.Helper()
	for _, part := range []string{pageScript(), pageStyle, script(t, "ready.js"), script(t, "openall.js")} {
		dom = strings.Replace(dom, part, "", 1)
	}
	dom = dataBlock.ReplaceAllString(dom, "")
	if strings.Contains(dom, `pwned="1"`) {
		t.Error("a script of the input ran")
	}
	if n := strings.Count(dom, "document.documentElement.setAttribute"); n < 20*len(injections) {
		t.Errorf("the page shows too little: %d injections", n)
	}
	for _, tag := range markup.FindAllString(dom, -1) {
		if !ours[tag] {
			t.Errorf("the page has the element %q", tag)
		}
	}
	if m := eventHandler.FindString(dom); m != "" {
		t.Errorf("the page has the handler %q", m)
	}
	if m := outside.FindString(dom); m != "" {
		t.Errorf("the page refers to %q", m)
	}
}

// eventHandler is an element with an attribute that holds a script.
var eventHandler = regexp.MustCompile(`<[a-z]+(?: [a-z-]+(?:="[^"]*")?)* on[a-z]+="[^"]*"`)
