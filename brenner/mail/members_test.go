package mail_test

import (
	"testing"

	"github.com/brennerlint/brennerlint/brenner/mail"
)

// TestMembers checks that the table of members has each name once, finds each by its
// name, and does not allocate.
func TestMembers(t *testing.T) {
	seen := map[string]bool{}
	n := 0
	for i := range 256 {
		m := mail.Member(i)
		name := m.String()
		if name == "" {
			if m.Has(^mail.Role(0)) {
				t.Errorf("member %d has roles and no name", i)
			}
			continue
		}
		n++
		if seen[name] || mail.MemberOf(name) != m || mail.MemberOf([]byte(name)) != m {
			t.Errorf("%q is found as %q", name, mail.MemberOf(name))
		}
		seen[name] = true
	}
	if n != int(mail.MemberRole) {
		t.Errorf("%d members have names, of %d", n, mail.MemberRole)
	}
	for _, other := range []string{"", "x", "Body_md", "metadata"} {
		if m := mail.MemberOf(other); m != 0 {
			t.Errorf("%q is %s", other, m)
		}
	}
	names := [][]byte{[]byte("body_md"), []byte("structuredContent"), []byte("attachments")}
	if allocs := testing.AllocsPerRun(100, func() {
		for _, name := range names {
			mail.MemberOf(name).Has(mail.OfMail)
		}
	}); allocs != 0 {
		t.Errorf("a name takes %v allocations", allocs)
	}
}
