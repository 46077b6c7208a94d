//go:build !unix && !windows

package files

import (
	"io/fs"
	"os"
)

// linkCount returns 1: the count is not available here.
func linkCount(*os.File, fs.FileInfo) uint64 { return 1 }

// keepOwner is not supported here.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// noWait is not needed where folders contain no pipes.
const noWait = 0
