package artifact

import "testing"

// TestSaysNone has sentences that state that there are no anomalies, and sentences that
// only look like it.
func TestSaysNone(t *testing.T) {
	for line, want := range map[string]bool{
		"None registered": true, "none registered yet.": true, "**None registered**": true,
		"None.": true, "_None_": true, "No anomalies": true, "*No anomalies registered in this pilot session.*": true,
		"__No anomaly was seen.__": true, "There are no anomalies so far.": true, "No open or deferred anomalies.": false,
		"No open anomalies.": true, "We looked. No anomalies were found.": true, "No unexplained, open anomalies": true,
		"": false, "None of them is resolved.": false, "Nonetheless": false, "Nothing": false, "No.": false,
		"No idea about anomalies": false, "Anomalies: no": false, "No test explains the two anomalies.": false,
		"There were anomalies.": false, "There is": false,
	} {
		if got := saysNone(line); got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
}
