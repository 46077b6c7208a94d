//go:build !unix

package files

// noWait is not needed where folders hold no pipes.
const noWait = 0
