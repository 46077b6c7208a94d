package ledger

import "testing"

func TestLedger(t *testing.T) {
	lines, err := Parse([]byte("document\theading\tline\tfact\trules\talso held by\na\tFirst\t3\tx | y\tMB-001 MB-002\t`TestX`\r\na\tFirst\t4\tz\t\tno mail shows it\nb\tFirst\t1\tz\tMB-001\t\n"))
	if err != nil || len(lines) != 3 || lines[0].Key() != "a:3" || len(lines[1].Rules) != 0 {
		t.Fatalf("%v: %v", lines, err)
	}
	for _, bad := range []string{"\na\tb\n", "\na\tb\tc\td\te\tf\n"} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
