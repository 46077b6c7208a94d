package report

import (
	"bytes"
	"testing"
)

// TestNeedsFingerprints checks that a format asks for fingerprints exactly if it writes
// them.
func TestNeedsFingerprints(t *testing.T) {
	for _, f := range Formats {
		var with, without bytes.Buffer
		r := sample()
		if err := f.Write(&with, r, Options{}); err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			f.Fingerprint = ""
		}
		if err := f.Write(&without, r, Options{}); err != nil {
			t.Fatal(err)
		}
		if writes := !bytes.Equal(with.Bytes(), without.Bytes()); writes != f.Needs.Fingerprints {
			t.Errorf("%s writes fingerprints: %v; needs them: %v", f.Name, writes, f.Needs.Fingerprints)
		}
	}
}
