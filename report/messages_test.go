package report

import (
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/lint"
)

// TestMessagesWithoutID checks that messages without an id count one by one.
func TestMessagesWithoutID(t *testing.T) {
	about := func(id, from string, at int64) *lint.Finding {
		return &lint.Finding{Rule: "MB-005", Path: "mail.json", Thread: "RS-20251230-x", MessageID: id, Mail: &lint.MailInfo{ID: id, Subject: "DELTA[opus]: x", From: from, Time: time.Unix(at, 0)}}
	}
	findings := []*lint.Finding{about("", "A", 1), about("", "A", 1), about("", "B", 1), about("", "B", 2), about("7", "B", 2), about("7", "B", 2)}
	if messages, _ := atFault(findings); messages != 4 {
		t.Errorf("findings in %d messages, expected 4", messages)
	}
	if groups := tallies("rule", findings); len(groups) != 1 || groups[0].Messages != 4 {
		t.Errorf("statistics of %+v", groups[0])
	}
}
