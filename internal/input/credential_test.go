package input

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

func TestNamesCredential(t *testing.T) {
	for text, want := range map[string]bool{
		`{"sender_token": "x"}`:              true,
		`{\"registration_token\" : \"x\"}`:   true,
		`api-key = x`:                        true,
		"`API_KEY`: x":                       true,
		"“Token”: x":                         true,
		"\npassword\n\t: x":                  true,
		`token-count: 3`:                     true, // who knows
		`{"tokens": ["x"], "secret_x": "y"}`: true,
		`the token is x`:                     false,
		`**Token** : x`:                      false,
		`a rapid change: x`:                  false,
		`"api": x`:                           false,
		`: = :`:                              false,
	} {
		if got := NamesCredential([]byte(text)); got != want {
			t.Errorf("NamesCredential(%q) = %v, want %v", text, got, want)
		}
	}
}

// TestNamesCredentialAnywhere compares NamesCredential with a single pattern, for names at
// any position in a text.
func TestNamesCredentialAnywhere(t *testing.T) {
	pattern := regexp.MustCompile(`(?:[tT]oken|[sS]ecret|[pP]assw(?:or)?d|[cC]redential|[aA]uthorization|api[_-]?key|API[_-]?KEY|TOKEN)[\w-]*[\\"'` + "`" + `”’]*\s*[:=]`)
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"token", "Token", "TOKEN", "secret", "passwd", "password", "passw", "api", "_", "-", "key", "API_KEY", "s", "\\", `"`, "”", "’", "“", "`", " ", "\n", ":", "=", "é", "*"})
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "text"), "")
		if got, want := NamesCredential([]byte(text)), pattern.MatchString(text); got != want {
			t.Fatalf("NamesCredential(%q) = %v, want %v", text, got, want)
		}
	})
}
