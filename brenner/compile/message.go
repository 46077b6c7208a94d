package compile

// Message is the message that publishes a version, as it is sent by Agent Mail. It
// requires no acknowledgement: a COMPILED informs.
type Message struct {
	Project       string // "" if the mail does not name it
	From          string
	To            []string
	Subject, Body string
	Thread        string
}

// Message returns the message that publishes the version.
func (c *Result) Message() Message {
	return Message{Project: c.Project, From: c.Compiler, To: c.To, Subject: c.Subject, Body: c.Body, Thread: c.Thread}
}
