//go:build !linux && !darwin

package files

import "io/fs"

// IdentityOf is the identity of a file; false where the system does not tell enough.
// Elsewhere the times of a file may lag behind what is written.
func IdentityOf(fs.FileInfo) (Identity, bool) { return Identity{}, false }
