package action_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestReleaseFlags checks that .ci/reproducible and the image build the programs as a
// release does: the same packages, flags and variables of the linker.
func TestReleaseFlags(t *testing.T) {
	var config struct {
		Builds []struct {
			ID, Main       string
			Env            []string
			Flags, Ldflags []string
		}
		Archives []struct{ Files []string }
		Before   struct{ Hooks []string }
	}
	data, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	if len(config.Builds) != 1 {
		t.Fatalf("%d programs are released", len(config.Builds))
	}
	for file, version := range map[string]string{"../../.ci/reproducible": "1.2.3", "../../Dockerfile": "${VERSION}"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "\\\n", " ")
		for _, b := range config.Builds {
			want := append([]string{b.Main}, b.Flags...)
			want = append(want, `-ldflags "`+strings.ReplaceAll(strings.Join(b.Ldflags, " "), "{{ .Version }}", version)+`"`)
			found := slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
				flags := strings.ReplaceAll(line, `"${flags[@]}"`, reproducibleFlags(text))
				return !slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(flags, w) })
			})
			if !found {
				t.Errorf("%s does not build %s as a release does: expected %q", file, b.ID, want)
			}
			if !slices.Equal(b.Env, []string{"CGO_ENABLED=0"}) || !strings.Contains(text, "CGO_ENABLED=0") {
				t.Errorf("%s: %s is released with %v", file, b.ID, b.Env)
			}
		}
	}
	for _, a := range config.Archives {
		for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES.txt", "man/*.1", "completions/*"} {
			if !slices.Contains(a.Files, name) {
				t.Errorf("the archives hold no %s", name)
			}
		}
	}
	for _, hook := range []string{".ci/licenses", ".ci/man", ".ci/completions"} {
		if !slices.Contains(config.Before.Hooks, hook) {
			t.Errorf("%s is not run before a release", hook)
		}
	}
}

// reproducibleFlags returns those that .ci/reproducible names once.
func reproducibleFlags(script string) string {
	_, rest, _ := strings.Cut(script, "\nflags=(")
	flags, _, _ := strings.Cut(rest, ")\n")
	return flags
}

// TestReleaseWithoutCache checks that nothing which other runs have left in a cache
// gets into a release.
func TestReleaseWithoutCache(t *testing.T) {
	data, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]any
			}
		}
	}
	if err := yaml.Unmarshal(data, &workflow); err != nil {
		t.Fatal(err)
	}
	setups := 0
	for _, job := range workflow.Jobs {
		for _, s := range job.Steps {
			if strings.HasPrefix(s.Uses, "actions/cache") {
				t.Errorf("the release uses %s", s.Uses)
			}
			if strings.HasPrefix(s.Uses, "actions/setup-go@") {
				if setups++; s.With["cache"] != false {
					t.Error("setup-go restores a cache")
				}
			}
		}
	}
	if setups == 0 {
		t.Error("no step sets Go up")
	}
}
