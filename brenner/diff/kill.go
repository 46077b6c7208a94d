package diff

import (
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/source"
)

// KillDiffers reports whether the KILL differs: its existence, agent, reason or time. Parts that
// the artifact leaves out do not differ.
func (p *Pair) KillDiffers() bool {
	return p.KilledOnOneSide() || !p.Want.Active() && p.Want.ID.Section != brenner.PredictionsTable && p.KillParts(p.Want.Killed) != [3]bool{}
}

// KillParts reports which parts of the published KILL differ from another: the agent (if its message has
// a sender), the reason, the time.
func (p *Pair) KillParts(k *brenner.Killing) [3]bool {
	got := p.Got.Killed
	reasonDiffers := TextDiffers(k.Reason, got.Reason) && TextDiffers(k.Reason, headingBelow.Split(got.Reason, 2)[0])
	return [...]bool{k.By != "" && TextDiffers(k.By, got.By), reasonDiffers, p.KilledAtDiffers(k.At)}
}

// IsOtherForm reports whether a KILL is published with the agent and the date, but not in the form `Agent (timestamp)`.
func IsOtherForm(want, got *brenner.Killing) bool {
	rest, isName := strings.CutPrefix(got.By, want.By)
	return isName && strings.Contains(rest, want.At.UTC().Format(time.DateOnly)) && strings.IndexByte(" ,(;", rest[0]) >= 0
}

// KillChanges returns the parts in which a KILL that both sides have differs, as far as both say it, each at
// the text that differs, where a line has it literally.
func (c *Comparison) KillChanges(p *Pair) (out []FieldChange) {
	if p.KilledOnOneSide() || !p.KillDiffers() {
		return nil
	}
	want, got, differs := p.Want.Killed, p.Got.Killed, p.KillParts(p.Want.Killed)
	for i, f := range [...]FieldChange{
		{Key: "killed_by", At: p.Item.Heading, Before: want.By, After: got.By},
		{Key: "kill_reason", At: p.Item.Heading, Before: want.Reason, After: got.Reason},
		{Key: "killed_at", At: p.Item.Heading, Before: brenner.FormatTime(want.At), After: p.Item.KilledAt},
	} {
		if !differs[i] || f.Before == "" {
			continue
		}
		line := p.Item.Field(f.Key)
		if line == nil && f.Key == "killed_at" {
			line = p.Item.Field("killed_by") // `Killed by: Agent (timestamp)`
		}
		if line != nil && !line.Value.Empty() {
			f.At = line.Value
			shown := brenner.Plain(f.After)
			if i := strings.LastIndex(c.Artifact.Text.Slice(f.At), shown); i >= 0 {
				f.At = source.Span{Start: f.At.Start + i, End: f.At.Start + i + len(shown)}
			}
		}
		out = append(out, f)
	}
	return out
}

// unclearKill reports whether a part of a KILL that differs has signs that were no UTF-8, or has the reason behind
// it, because that has no label.
func (p *Pair) unclearKill(f *FieldChange) bool {
	before, after := brenner.Plain(f.Before), brenner.Plain(f.After)
	noReason := p.Got.Killed.Reason == "" && brenner.HasPrefixFold(after, before)
	return noReason || strings.Contains(after, "\ufffd")
}

// KilledOnOneSide reports whether only one of both items is killed.
func (p *Pair) KilledOnOneSide() bool { return p.Want.Active() == p.Item.Killed }

// KilledAtDiffers reports whether the published instant of a KILL is another one.
func (p *Pair) KilledAtDiffers(want time.Time) bool {
	got := p.Got.Killed.At
	precision := day
	switch shown, _ := brenner.ParseTime(p.Item.KilledAt); {
	case shown.HasSecond:
		precision = min(unit(got), time.Second)
	case shown.HasTime:
		precision = time.Minute
	}
	return !got.IsZero() && timesDiffer(want, got, precision)
}

// timesDiffer reports whether two instants differ, to the precision with which both are written: a date
// says nothing about the hour, a time without a fraction nothing about fractions.
func timesDiffer(want, got time.Time, gotPrecision time.Duration) bool {
	precision := max(unit(want), gotPrecision)
	return !want.Truncate(precision).Equal(got.Truncate(precision))
}

const day = 24 * time.Hour

// unit returns the largest unit of which an instant is a multiple: a date is one of days.
func unit(t time.Time) time.Duration {
	for _, u := range [...]time.Duration{day, time.Second, time.Millisecond, time.Microsecond} {
		if t.Truncate(u).Equal(t) {
			return u
		}
	}
	return time.Nanosecond
}

// TextDiffers reports whether a published text is there and differs from the expected one.
func TextDiffers(want, got string) bool { return got != "" && !sameText(want, got) }
