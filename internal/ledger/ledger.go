// Package ledger reads the ledger of the specifications' normative lines,
// rules/testdata/ledger.tsv: what each line asks for, in our words, and what holds
// it.
package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Path is where the ledger is in the repository.
const Path = "rules/testdata/ledger.tsv"

// Line is a line of a specification that asks for something.
type Line struct {
	Document string
	Heading  string // the heading above it
	Number   int
	Fact     string   // what it asks for
	Rules    []string // the rules that enforce it; their pages test that
	// Held says what else ensures it, with tests in backticks. Without rules it says why
	// no rule can.
	Held string
}

// Key names the line: message_body_schema:20.
func (l Line) Key() string { return l.Document + ":" + strconv.Itoa(l.Number) }

// Read reads the ledger of a checkout.
func Read(root string) ([]Line, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(Path)))
	if err != nil {
		return nil, err
	}
	var out []Line
	_, text, _ := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") // the first line names the columns
	for row := range strings.Lines(text) {
		columns := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(columns) != 6 {
			return nil, fmt.Errorf("%s: %q has %d columns; expected 6", Path, row, len(columns))
		}
		n, err := strconv.Atoi(columns[2])
		if err != nil {
			return nil, fmt.Errorf("%s: line number %q", Path, columns[2])
		}
		out = append(out, Line{columns[0], columns[1], n, columns[3], strings.Fields(columns[4]), columns[5]})
	}
	return out, nil
}
