package slips

// applied returns the slips for which a delta must be rejected, in deltas of a version:
// the rule, and MR-022 once for the version (decisions.md 25, 49).
func applied(families ...[]slip) []slip {
	var out []slip
	for _, family := range families {
		for _, sl := range family {
			if !sl.rejects {
				continue
			}
			sl.name += ", published"
			sl.in = publishedDeltas
			sl.fix, sl.alone = noFix, true
			sl.also = append(sl.also[:len(sl.also):len(sl.also)], follow{rule: "MR-022", law: "25"})
			out = append(out, sl)
		}
	}
	return out
}
