package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

var testRules = lint.Catalogue{
	{ID: "MB-001", Name: "subject-prefix", Severity: lint.Error},
	{ID: "MB-002", Name: "kickoff-research-question", Severity: lint.Error},
	{ID: "SU-003", Name: "subject-description-length", Severity: lint.Info},
	{ID: "WT-001", Name: "test-potency-check", Severity: lint.Warning},
}

const full = `
include: [artifacts/..., "mail/**/*.json"]
exclude:
  - "**/old/**"
scope: all
fail-on: warning
rules:
  select: [MB, WT-001]
  ignore: [subject-description-length]
  levels: {MB: warning, MB-001: error, WT-001: off}
overrides:
  - paths: ["legacy/**"]
    levels: {MB-002: info}
agents:
  roster: [BlueLake, RedCreek]
  priority: {BlueLake: 2}
roles: [codex]
corpus-size: 300
artifacts-dir: ./out/artifacts/
limits: {file-size: 64MB, entries: 10}
suppress:
  - {path: "mail/**", rule: "MB-001", thread: RS-20251230-x, message: 12, reason: "sent by hand"}
`

func TestParse(t *testing.T) {
	c, err := Parse("dir/.brennerlint.yaml", []byte(full), testRules)
	must.OK(t, err)
	opts := engine.Options{}
	c.Apply(&opts, testRules)
	if s := opts.RuleConfig; s.CorpusSize != 300 || s.ArtifactsDir != "out/artifacts" || s.Priority["BlueLake"] != 2 || len(s.Roster) != 2 {
		t.Errorf("settings are %+v", s)
	}
	if opts.Mail != engine.AllMail || opts.Limits.FileSize != 64<<20 || opts.Limits.Entries != 10 || opts.Limits.Findings != 0 {
		t.Errorf("options are %+v", opts)
	}
	want := engine.Severities{
		Select:   map[string]bool{"MB-001": true, "MB-002": true, "WT-001": true},
		Ignore:   map[string]bool{"SU-003": true, "WT-001": true},
		Severity: map[string]lint.Severity{"MB-001": lint.Error, "MB-002": lint.Warning},
		Overrides: []engine.SeverityOverride{{
			Paths: []string{"legacy/**"}, Ignore: map[string]bool{}, Severity: map[string]lint.Severity{"MB-002": lint.Info},
		}},
	}
	if diff := cmp.Diff(want, opts.Severities); diff != "" {
		t.Error(diff)
	}
	s := opts.Suppressions[0]
	if s.Message != "12" || s.Reason != "sent by hand" {
		t.Errorf("suppression is %+v", s)
	}
	if p := s.At.Text.Position(s.At.Span.Start); p.Line != 22 || p.Column != 5 {
		t.Errorf("suppression is at %d:%d", p.Line, p.Column)
	}
}

func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "\n# nothing\n", "---\n", "rules:\n"} {
		if _, err := Parse("x", []byte(text), testRules); err != nil {
			t.Errorf("Parse(%q): %v", text, err)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"ruels: {}\n", `c.yaml:1:1: unknown key "ruels"; did you mean "rules"?` + "\n  1 | ruels: {}\n    | ^^^^^"},
		{"rules:\n  ignore: [MB-01]\n", `c.yaml:2:12: unknown rule "MB-01"; did you mean MB-001?`},
		{"rules:\n  levels: {MB-001: fatal}\n", `c.yaml:2:20: unknown level "fatal"; expected error, warning, info or off`},
		{"corpus-size: many\n", "c.yaml:1:14: expected a whole number"},
		{"corpus-size: 0\n", "c.yaml:1:14: expected a number >= 1"},
		{"scope: al\n", `c.yaml:1:8: unknown value "al"; did you mean "all"?`},
		{"scope: some\n", `c.yaml:1:8: unknown value "some"; expected auto, protocol or all`},
		{"include: ['']\n", "c.yaml:1:11: the path is empty"},
		{"exclude: x\n", "c.yaml:1:10: expected a list"},
		{"agents: []\n", "c.yaml:1:9: expected a mapping"},
		{"suppress:\n  - {rule: MB-001}\n", `c.yaml:2:5: "reason" is missing`},
		{"suppress:\n  - rule: MB-001\n    reason:\n", `c.yaml:3:5: "reason" is empty`},
		{"suppress:\n  - {rule: MB-001, reason: ' '}\n", `c.yaml:2:20: "reason" is empty`},
		{"overrides:\n  - {paths: [], ignore: [MB]}\n", `c.yaml:2:6: "paths" is empty`},
		{"overrides:\n  - {path: [x], ignore: [MB]}\n", `c.yaml:2:6: unknown key "path"; did you mean "paths"?`},
		{"overrides:\n  - {ignore: [MB]}\n", `c.yaml:2:5: "paths" is missing`},
		{"rules: {select: []}\n", "c.yaml:1:17: no rule would run; leave select out to run all"},
		{"roles: [CODEX, 'a b']\n", `c.yaml:1:16: invalid role "a b"; expected letters a to z, such as codex`},
		{"roles: ['']\n", `c.yaml:1:9: invalid role ""`},
		{"limits: {file-size: big}\n", "c.yaml:1:21: expected a size such as 512MB"},
		{"limits: {file-size: 4GB}\n", "c.yaml:1:21: expected a size of 4095MB at most"},
		{"rules:\n  ignore: [AP-01\nfail-on: error\n", "c.yaml:2:1: yaml: did not find expected ',' or ']'"},
		{"rules: {}\na: b: c\n", "c.yaml:2:1: yaml: mapping values are not allowed"},
		{"a: b: c\n", "c.yaml:1:1: yaml: mapping values are not allowed in this context"},
		{"exclude: &a [x]\ninclude: *a\n", "c.yaml:2:10: aliases are not supported here"},
		{"- x\n", "c.yaml:1:1: expected a mapping"},
		{"exclude: ['[']\n", `c.yaml:1:11: invalid glob "["; write \ before a literal bracket or brace`},
		{"overrides:\n  - paths: ['{a']\n", `c.yaml:2:13: invalid glob "{a"`},
		{"suppress:\n  - {path: '[a', rule: MB-001, reason: r}\n", `c.yaml:2:12: invalid glob "[a"`},
		{"rules:\n  levels: {MB-001: off, MB-001: info}\n", `c.yaml:2:25: duplicate key "MB-001"`},
		{"rules:\n  levels: {MB-001: off, subject-prefix: info}\n", `c.yaml:2:25: "MB-001" and "subject-prefix" name the same rule`},
		{"rules:\n  levels: {MB-: off, MB: info, mb: error}\n", `c.yaml:2:22: "MB-" and "MB" name the same rules`},
		{"rules:\n  levels: {MB-001: off}\noverrides:\n  - {paths: [x], levels: {mb: info, MB-00: error, MB: off}}\n", `c.yaml:4:51: "mb" and "MB" name the same rules`},
		{"exclude: [x]\n---\nrules: {ignore: [MB]}\n", "c.yaml:3:1: a second YAML document; a configuration is one" + "\n  3 | rules: {ignore: [MB]}\n    | ^"},
		{"---\n# nothing\n---\nexclude: [x]\n", "c.yaml:4:1: a second YAML document"},
		{"exclude: [x]\n---\n\n", "c.yaml:4:1: a second YAML document"},
		{"exclude: [x]\n--- |\n  a\n", "c.yaml:2:5: a second YAML document"},
		{"exclude: [x]\n---\n- [\n", "c.yaml:3:1: yaml: did not find expected node content"},
		{strings.Repeat("#", maxFile+1), "c.yaml:1:1: larger than 1048576 bytes"},
		{"exclude: [x]\nexclude: [y]\n", `c.yaml:2:1: duplicate key "exclude"`},
	} {
		_, err := Parse("c.yaml", []byte(tc.text), testRules)
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("Parse(%q):\n got %v\nwant %s", tc.text, err, tc.want)
		}
	}
}

//go:generate go test -run ^TestSchema$ -update .

var update = flag.Bool("update", false, "write the schema")

// TestSchema checks the published schema against the code, and the schema
// against a configuration that uses everything.
func TestSchema(t *testing.T) {
	const path = "../../docs/brennerlint.schema.json"
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	must.OK(t, e.Encode(Schema(rules.All())))
	if *update {
		must.Write(t, path, want.Bytes())
	}
	have := must.Read(t, path)
	if string(have) != want.String() {
		t.Errorf("%s is stale: run go generate ./internal/config", path)
	}
	var schema, doc any
	must.OK(t, json.Unmarshal(have, &schema))
	must.OK(t, yaml.Unmarshal([]byte(full), &doc))
	c := jsonschema.NewCompiler()
	must.OK(t, c.AddResource("schema.json", schema))
	s, err := c.Compile("schema.json")
	must.OK(t, err)
	text, _ := json.Marshal(strip(doc))
	value, _ := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err := s.Validate(value); err != nil {
		t.Error(err)
	}
	const custom = `{"id": "GRP-001", "name": "calm-subject", "scope": "message", "when": "true", "report": "loud"}`
	for _, bad := range []string{
		`{"rules": [` + strings.Replace(custom, "when", "wenn", 1) + `]}`, `{"rules": [` + strings.Replace(custom, "GRP-001", "GRP-1", 1) + `]}`, `{"rules": 3}`,
		`{"ruels": {}}`, `{"rules": {"select": ["MB-999"]}}`, `{"rules": {"levels": {"subject-prefx": "off"}}}`, `{"overrides": [{"paths": ["x"], "ignore": [1]}]}`,
		`{"suppress": [{"rule": "none", "reason": "x"}]}`,
		`{"rules": {"levels": {"GRP-01": "off"}}}`, `{"rules": {"ignore": ["XR-999"]}}`,
	} {
		if value, err := jsonschema.UnmarshalJSON(strings.NewReader(bad)); err != nil || s.Validate(value) == nil {
			t.Errorf("the schema accepts %s (%v)", bad, err)
		}
	}
	for _, good := range []string{
		`{"rules": [` + custom + `]}`, `{"rules": {"ignore": ["MB"], "define": [` + custom + `]}}`, `{"include-rules": ["a.yaml"]}`,
		`{"rules": {"select": ["MB", "MB-005", "delta-json", "INVALID_RS_THREAD_ID", "ALL"], "levels": {"MR": "off"}}}`,
		`{"suppress": [{"rule": "MB-001, MB-005", "reason": "x"}]}`,
		`{"rules": {"levels": {"GRP-001": "error", "GRP": "off"}}, "suppress": [{"rule": "MBX-999", "reason": "x"}]}`,
	} {
		if value, err := jsonschema.UnmarshalJSON(strings.NewReader(good)); err != nil || s.Validate(value) != nil {
			t.Errorf("the schema refuses %s: %v, %v", good, err, s.Validate(value))
		}
	}
}

// strip turns YAML's false for off into the word.
func strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = strip(e)
		}
	case bool:
		return "off"
	}
	return v
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string
		link  string // to nothing
		want  string // the end of what is found, or of the error
		bad   bool
	}{
		{name: "above", files: []string{FileName}, want: "/" + FileName},
		{name: "yml", files: []string{ShortFileName}, want: "/" + ShortFileName},
		{name: "nearest", files: []string{FileName, "a/" + ShortFileName}, want: "/a/" + ShortFileName},
		{name: "both", files: []string{"a/" + FileName, "a/" + ShortFileName}, want: `there are both "../.brennerlint.yaml" and "../.brennerlint.yml"; keep one of them`, bad: true},
		{name: "dangling", link: "a/b/" + FileName, want: `".brennerlint.yaml" is a link to a file that does not exist`, bad: true},
		{name: "dangling above", files: []string{FileName}, link: "a/" + ShortFileName, want: `"../.brennerlint.yml" is a link to a file that does not exist`, bad: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			deep := filepath.Join(root, "a", "b")
			must.OK(t, os.MkdirAll(deep, 0o755))
			for _, name := range tt.files {
				must.Write(t, filepath.Join(root, name), "")
			}
			if tt.link != "" {
				if err := os.Symlink("gone", filepath.Join(root, tt.link)); err != nil {
					t.Skip(err)
				}
			}
			got, err := Find(deep)
			if err != nil {
				got = err.Error()
			}
			if !strings.HasSuffix(filepath.ToSlash(got), tt.want) || tt.bad != (err != nil) {
				t.Errorf("Find = %q, expected %q", got, tt.want)
			}
		})
	}
}

// TestTemplate checks that the template is a configuration, as it is and with every setting
// uncommented, and that it names every key.
func TestTemplate(t *testing.T) {
	if _, err := Parse("x", Template, testRules); err != nil {
		t.Error(err)
	}
	var used []string
	for _, line := range strings.Split(string(Template), "\n") {
		if code, ok := strings.CutPrefix(line, "#"); ok && code != "" && !strings.HasPrefix(code, " ") || strings.HasPrefix(line, "#  ") {
			used = append(used, code)
		}
	}
	text := strings.NewReplacer("TH-005", "MB-002", "[WP]", "[WT]").Replace(strings.Join(used, "\n"))
	dir := t.TempDir()
	must.OK(t, os.Mkdir(dir+"/house-rules", 0o755))
	must.Write(t, dir+"/house-rules/GRP-002.yaml", "rules: [{id: GRP-002, name: b, scope: item, when: item.killed, report: x}]\n")
	if c, err := Parse(dir+"/x", []byte(text), testRules); err != nil || len(c.CustomRules()) != 2 {
		t.Errorf("%v\nin\n%s", err, text)
	}
	for key := range Schema(nil)["properties"].(map[string]any) {
		if !strings.Contains(text, "\n"+key+":") && !strings.HasPrefix(text, key+":") {
			t.Errorf("the template does not show %q", key)
		}
	}
}

// TestWrite checks that what is shown reads back as the same settings.
func TestWrite(t *testing.T) {
	c, err := Parse("c.yaml", []byte(full), testRules)
	must.OK(t, err)
	var first, second strings.Builder
	must.OK(t, c.Write(&first))
	again, err := Parse("c.yaml", []byte(first.String()), testRules)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, first.String())
	}
	must.OK(t, again.Write(&second))
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Error(diff)
	}
}

// TestLevels checks that the word that names the fewest rules decides, whatever the order of
// the map, and that a text may list rules.
func TestLevels(t *testing.T) {
	c, err := Parse("c.yaml", []byte("rules:\n  ignore: [\"MB-001, WT-001\"]\n  levels: {ALL: warning, MB: info, \"MB-001,WT-001\": error, MB-001: warning}\n"), testRules)
	must.OK(t, err)
	for range 50 {
		off, severity := Levels(testRules, levelWords(c.Rules.Ignore, c.Rules.Levels))
		if len(off) != 0 || severity["MB-001"] != lint.Warning || severity["MB-002"] != lint.Info || severity["WT-001"] != lint.Error {
			t.Fatalf("off are %v, the severities are %v", off, severity)
		}
	}
	c, err = Parse("c.yaml", []byte("rules: {select: [\"MB-001, WT-001\", SU]}\n"), testRules)
	must.OK(t, err)
	var opts engine.Options
	if c.Apply(&opts, testRules); len(opts.Severities.Select) != 3 || !opts.Severities.Select["WT-001"] {
		t.Errorf("selected are %v", opts.Severities.Select)
	}
}

// TestLevelWords checks the order of words: the fewest rules, then the last.
func TestLevelWords(t *testing.T) {
	word := func(name string, level Level) LevelWord { return LevelWord{name, level} }
	for name, test := range map[string]struct {
		words []LevelWord
		want  string
	}{
		"none":                 {nil, "map[] map[]"},
		"a rule, its family":   {[]LevelWord{word("MB-001", "off"), word("MB", "warning")}, "map[MB-001:true] map[MB-002:warning]"},
		"a family, its rule":   {[]LevelWord{word("MB", "off"), word("MB-001", "info")}, "map[MB-002:true] map[MB-001:info]"},
		"a rule twice":         {[]LevelWord{word("MB-001", "off"), word("subject-prefix", "info")}, "map[] map[MB-001:info]"},
		"a rule the other way": {[]LevelWord{word("subject-prefix", "info"), word("MB-001", "off")}, "map[MB-001:true] map[]"},
	} {
		ignored, severity := Levels(testRules, test.words)
		if got := fmt.Sprint(ignored, severity); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestIgnoredAmongLevels checks that a rule that is ignored stays so if its family has a
// level, also in an override.
func TestIgnoredAmongLevels(t *testing.T) {
	c, err := Parse("c.yaml", []byte("rules: {ignore: [MB-001], levels: {MB: warning}}\noverrides: [{paths: [x], ignore: [MB-001], levels: {MB: info}}]\n"), testRules)
	must.OK(t, err)
	opts := engine.Options{}
	c.Apply(&opts, testRules)
	ignored := map[string]bool{"MB-001": true}
	want := engine.Severities{
		Ignore: ignored, Severity: map[string]lint.Severity{"MB-002": lint.Warning},
		Overrides: []engine.SeverityOverride{{Paths: []string{"x"}, Ignore: ignored, Severity: map[string]lint.Severity{"MB-002": lint.Info}}},
	}
	if diff := cmp.Diff(want, opts.Severities); diff != "" {
		t.Error(diff)
	}
}

// TestManyFaults reads a file with many faults on one line. Only a few are shown, each with
// the part of the line around it.
func TestManyFaults(t *testing.T) {
	_, err := Parse("c.yaml", []byte("{"+strings.Repeat("abc: 1, ", 30)+"}"), testRules)
	want := `c.yaml:1:154: unknown key "abc"; expected include, exclude, scope, fail-on, rules, include-rules, overrides, agents, roles, corpus-size, artifacts-dir, limits, suppress or hook
  1 | … 1` + strings.Repeat(", abc: 1", 18) + `, }
    | ` + strings.Repeat(" ", 61) + `^^^
and 10 more`
	if got := err.Error(); strings.Count(got, "\n") != 3*shownFaults || !strings.HasSuffix(got, want) {
		t.Errorf("the error is %s\nwant at its end %s", got, want)
	}
	// Characters of several bytes are not cut, and controls not shown.
	_, err = Parse("c.yaml", []byte("{"+strings.Repeat("é\u202e: 1, ", 300)+"}"), testRules)
	if got := err.Error(); !utf8.ValidString(got) || strings.Contains(got, "\u202e") || strings.Count(got, "\n") != 3*shownFaults {
		t.Errorf("the error is %s", got)
	}
}
