//go:build !linux

package cli

// growInHugePages does nothing: other systems choose the size of pages themselves.
func growInHugePages(int) {}
