package engine

// Kept returns what a mailbox keeps for Reopen.
func (b *Mailbox) Kept() *Kept { return b.kept }
