package markdown

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/source"
)

func TestTable(t *testing.T) {
	tests := []struct {
		name, in string
		want     [][]string // header first; nil if it is no table
	}{
		{"plain", "| ID | c |\n| --- | :-: |\n| P1 | a |\n", [][]string{{"ID", "c"}, {"P1", "a"}}},
		{"without outer bars", "ID | c\n---|---\nP1 | a\n", [][]string{{"ID", "c"}, {"P1", "a"}}},
		{"missing and surplus cells", "| ID | c |\n|---|---|\n| P1 |\n| P2 | a | b |\n||\n", [][]string{{"ID", "c"}, {"P1"}, {"P2", "a", "b"}, {""}}},
		{"escaped bars", "| ID | c |\n|---|---|\n| P1 | a \\| b |\n| P2 | c \\|\n", [][]string{{"ID", "c"}, {"P1", `a \| b`}, {"P2", `c \|`}}},
		{"a delimiter row of another length", "| ID | c |\n|---|\n| P1 | a |\n", [][]string{{"ID", "c"}, {"P1", "a"}}},
		{"words above", "words\n| ID |\n|---|\n| P1 |\n", [][]string{{"ID"}, {"P1"}}},
		{"empty cells, tabs", "|\tID\t|  |\n|---|---|\n", [][]string{{"ID", ""}}},
		{"no delimiter row", "| ID |\n| P1 |\n", nil},
		{"nothing above the delimiter row", "|---|\n| P1 |\n", nil},
		{"no bar above the delimiter row", "words\n|---|\n", nil},
		{"a fence", "```\n| ID |\n|---|\n```\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := Parse(source.NewText([]byte(tt.in)))
			table, ok := doc.Table(&doc.Blocks[0])
			if ok != (tt.want != nil) {
				t.Fatalf("a table: %v", ok)
			}
			if !ok {
				return
			}
			var got [][]string
			for _, r := range append([]Row{table.Header}, table.Rows...) {
				var cells []string
				for _, c := range r.Cells {
					cells = append(cells, doc.Text.Slice(c))
				}
				got = append(got, cells)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
