package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// browser is a Chromium, "" if there is none.
func browser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// rendered is what a browser makes of a page, once its scripts have run.
func rendered(t *testing.T, page []byte) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	if err := os.WriteFile(path, page, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, browser(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--virtual-time-budget=2000", "--dump-dom", "file://"+path)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

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

// TestBrowser shows hostile texts in all places of a page to a browser: it finds
// no element, attribute or script but ours.
func TestBrowser(t *testing.T) {
	if browser() == "" || testing.Short() {
		t.Skip("no Chromium on the PATH")
	}
	if dom := rendered(t, []byte("<!DOCTYPE html><p>x"+injections[3])); !strings.Contains(dom, `pwned="1"`) {
		t.Fatalf("the test would not notice a script that runs:\n%s", dom)
	}
	page := write(t, "html", everywhere(strings.Join(injections, "\n")+strings.Join(injections, "")), Options{})
	dom := withoutOurCode(rendered(t, page))
	if strings.Contains(dom, `pwned="1"`) {
		t.Error("a script of the input ran")
	}
	if n := strings.Count(dom, "document.documentElement.setAttribute"); n < 10*len(injections) {
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

// withoutOurCode is a page without the content of the script and style that it
// must have.
func withoutOurCode(dom string) string {
	return strings.Replace(strings.Replace(dom, pageScript, "", 1), pageStyle, "", 1)
}
