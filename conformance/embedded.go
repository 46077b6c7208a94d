//go:build !packed

package conformance

import (
	"bytes"
	"embed"
	"io"
	"io/fs"
)

//go:embed cases
var cases embed.FS

// documents reads all files of cases, one after the other.
func documents() (io.Reader, error) {
	names, err := fs.Glob(cases, "cases/*.json")
	var all bytes.Buffer
	for _, name := range names {
		data, _ := cases.ReadFile(name) // it is embedded
		all.Write(data)
	}
	return &all, err
}
