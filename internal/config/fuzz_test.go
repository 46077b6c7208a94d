package config_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// FuzzParse reads any bytes as a configuration: what is accepted can be applied,
// and shown so that it is read again as the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "include: [a, b]\nexclude:\n  - '**/x'\nscope: all\nfail-on: warning\n",
		"rules:\n  select: [MB, DL-001]\n  levels:\n    subject-prefix: info\n    MB: off\noverrides:\n  - paths: ['a/**']\n    ignore: [SU]\n",
		"limits: {file-size: 1MB, entries: 3, findings: 1}\nagents:\n  roster: [BlueLake]\n  priority: {BlueLake: 2}\nroles: [opus]\n",
		"suppress:\n  - rule: MB-001\n    path: x\n    reason: y\n", "a: &a [*a]\n", "x: [[[[\n", "include: \xff", "scope: !!binary x\n", "? [a]\n: b\n", "corpus-size: 0x\n", "<<: {scope: all}\n",
	} {
		f.Add([]byte(s))
	}
	if data, err := os.ReadFile("../../.brennerlint.yaml"); err == nil {
		f.Add(data)
	}
	all := rules.All()
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse("x.yaml", data, all)
		if err != nil {
			var faults *config.Error
			if !errors.As(err, &faults) || err.Error() == "" {
				t.Errorf("the error is %v", err)
			}
			return
		}
		var o engine.Options
		c.Apply(&o, all)
		if l := o.Limits; l.FileSize < 0 || l.ExpandedSize < 0 || l.Entries < 0 || l.Findings < 0 {
			t.Errorf("a limit is negative: %+v", l)
		}
		var once, twice bytes.Buffer
		must.OK(t, c.Write(&once))
		again, err := config.Parse("x.yaml", once.Bytes(), all)
		if err != nil {
			t.Fatalf("what is shown cannot be read: %v\n%s", err, once.Bytes())
		}
		must.OK(t, again.Write(&twice))
		if once.String() != twice.String() {
			t.Errorf("what is shown is read as another:\n%s\n%s", once.String(), twice.String())
		}
	})
}
