//go:build packed

package conformance

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
)

// Releases hold the cases packed, 5 MB in 0.3; `make conformance/cases.json.gz` writes them.
//
//go:embed cases.json.gz
var packed string

// documents reads all files of cases, one after the other.
func documents() (io.Reader, error) { return gzip.NewReader(strings.NewReader(packed)) }
