//go:build !unix

package files

// noWait is not needed where folders contain no pipes.
const noWait = 0
