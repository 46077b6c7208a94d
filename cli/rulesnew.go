package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// The skeleton of a rule of the configuration: a rule that works, and its page.
var (
	//go:embed newrule.yaml
	newRule string
	//go:embed newrule.md
	newPage string
)

// skeletonID is the id of the skeleton.
const skeletonID = "GRP-001"

func newRulesNew(std streams, rules lint.Catalogue) *cobra.Command {
	s := &settings{std: std}
	cmd := &cobra.Command{
		Use:   "new [flags] ID",
		Short: "Write the skeleton of a rule of your own",
		Long: `new writes a rule and its page with examples, ID.yaml and ID.md, into the folder
` + config.RulesDir + ` next to the configuration. The rule works; change it into yours. The
configuration has to include it, as in include-rules: ["` + config.RulesDir + `/*.yaml"].
Existing files are not changed.`,
		Example: `  brennerlint rules new GRP-001`,
		Args:    takes(1, 1, "an ID such as GRP-001"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return s.writeRule(args[0], rules) },
	}
	s.configFlags(flagsOf(cmd))
	return cmd
}

// writeRule writes the skeleton of a rule.
func (s *settings) writeRule(id string, catalogue lint.Catalogue) error {
	if !customrules.ID().MatchString(id) {
		return fmt.Errorf("invalid id %s; expected two to five upper-case letters, a hyphen and three digits, such as GRP-001", text.Quote(id))
	}
	cfg, err := s.loadConfig(catalogue)
	if err != nil && !isEmptyInclude(err) {
		return err
	}
	for _, r := range cfg.AllRules(catalogue) {
		if r.ID == id {
			return fmt.Errorf("there is a rule %s already: %s", id, r.Name)
		}
	}
	if family, _, _ := strings.Cut(id, "-"); slices.ContainsFunc(catalogue, func(r *lint.Rule) bool { return r.Protocol && strings.HasPrefix(r.ID, family+"-") }) {
		return fmt.Errorf("the ids %s-… are those of the catalogue; take letters of your own, such as %s", family, skeletonID)
	}
	dir := filepath.Join(filepath.Dir(s.configFile), config.RulesDir)
	name := strings.ToLower(id)
	files := [][2]string{
		{filepath.Join(dir, id+".yaml"), strings.NewReplacer(skeletonID, id, "test-names-budget", name).Replace(newRule)},
		{filepath.Join(dir, id+".md"), strings.NewReplacer(skeletonID, id, "test-names-budget", name).Replace(newPage)},
	}
	for _, f := range files {
		if _, err := os.Lstat(f[0]); err == nil {
			return fmt.Errorf("%s already exists", text.QuotePath(filepath.ToSlash(f[0])))
		}
	}
	for _, f := range files {
		if err := create(s.std, f[0], []byte(f[1])); err != nil {
			return err
		}
	}
	if again, err := s.loadConfig(catalogue); err != nil || again.PagePath(id) == "" {
		fmt.Fprintf(s.std.out, "now let the configuration include it, in %s:\n\ninclude-rules: [%q]\n", filepath.ToSlash(s.configFileName()), path.Join(config.RulesDir, "*.yaml"))
	}
	return nil
}

// isEmptyInclude reports whether all that is wrong with a configuration is that it
// includes files that are not there yet.
func isEmptyInclude(err error) bool {
	faults, ok := errors.AsType[*config.Error](err)
	return ok && faults.OnlyMissing()
}

func (s *settings) configFileName() string {
	if s.configFile == "" {
		return config.FileName
	}
	return s.configFile
}
