package replay

// Forget makes the next version be compared with all items, as if there were no
// version before.
func (r *Thread) Forget() { r.omitted = nil }
