package engine

import (
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestCredentialMemo checks that a file is searched once for all findings in it, not
// once for each message: each has its own text of the file.
func TestCredentialMemo(t *testing.T) {
	data := []byte(`[{"id": 1}, {"id": 2}]`)
	f := source.NewFile("mail.json", data)
	var m credentialMemo
	if m.isNamed(f.Text(), source.Span{Start: 1, End: 10}, 100) {
		t.Fatal("a credential is found where there is none")
	}
	copy(data[13:], `token": "x`) // not allowed by the API: it would show if the file were searched again
	if m.isNamed(f.Text(), source.Span{Start: 12, End: 21}, 100) {
		t.Error("the file is searched for each text of it")
	}
	if !m.isNamed(source.NewFile("mail.json", data).Text(), source.Span{Start: 12, End: 21}, 100) {
		t.Error("the credential of another file is not found")
	}
}
