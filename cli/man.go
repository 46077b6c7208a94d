package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(std streams) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages",
		Hidden: true, // for packages
		Long: `man writes a manual page for each command into a folder. Releases have them in man/.
SOURCE_DATE_EPOCH, if it is set, is their date.`,
		Example: `  brennerlint man ~/.local/share/man/man1
  man brennerlint-replay`,
		Args:              takes(1, 1, "a DIR"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return fmt.Errorf("write manual pages: %w", err)
			}
			header := &doc.GenManHeader{Section: "1", Source: "brennerlint " + cmd.Root().Version, Manual: "brennerlint"}
			cmd.Root().DisableAutoGenTag = true
			escapeStars(cmd.Root())
			if err := doc.GenManTree(cmd.Root(), header, dir); err != nil {
				return fmt.Errorf("write manual pages: %w", err)
			}
			_, err := fmt.Fprintf(std.out, "wrote %s\n", filepath.ToSlash(filepath.Join(dir, "brennerlint*.1")))
			return err
		},
	}
}

// escapeStars keeps the stars of globs in descriptions, which the manual takes for
// Markdown.
func escapeStars(c *cobra.Command) {
	c.Long = strings.ReplaceAll(c.Long, "*", `\*`)
	for _, sub := range c.Commands() {
		escapeStars(sub)
	}
}
