package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by release builds; others show what the module knows.
var version = ""

// programVersion returns the version to show and to write into reports, everywhere
// without the v of the module's tag.
func programVersion() string {
	if version != "" {
		return strings.TrimPrefix(version, "v")
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "0.1.0-dev"
}

func newVersion(std streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		GroupID: groupSetup,
		Args:    takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(std.out, "brennerlint %s (%s, %s/%s)\n", programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
