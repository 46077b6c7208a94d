package engine

// Kept is what a mailbox keeps for Reopen.
func (b *Mailbox) Kept() *Kept { return b.kept }
