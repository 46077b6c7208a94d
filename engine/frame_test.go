package engine

import (
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestNamesCredential checks that a file is searched once for all findings in it, not
// once for each message: each has its own text of the file.
func TestNamesCredential(t *testing.T) {
	data := []byte(`[{"id": 1}, {"id": 2}]`)
	f := source.NewFile("mail.json", data)
	s := collector{frameLine: 100}
	if s.namesCredential(f.Text(), source.Span{Start: 1, End: 10}) {
		t.Fatal("a credential is found where there is none")
	}
	copy(data[13:], `token": "x`) // not allowed by the API: it would show if the file were searched again
	if s.namesCredential(f.Text(), source.Span{Start: 12, End: 21}) {
		t.Error("the file is searched for each text of it")
	}
	if !s.namesCredential(source.NewFile("mail.json", data).Text(), source.Span{Start: 12, End: 21}) {
		t.Error("the credential of another file is not found")
	}
}
