package mail

import (
	"maps"
	"slices"
)

// Role is what a member of the JSON of exports and drafts says about its object (mail_formats.md
// sections 1 to 6).
type Role uint16

// The roles; a member may have several.
const (
	InMessage   Role = 1 << iota // messages have it, sent or not
	InSent                       // only sent messages have it
	InAddress                    // a draft has it next to its body
	OfMail                       // messages of other programs do not have it
	HoldsMail                    // its value contains messages: only exports have it
	MayHoldMail                  // other programs also use the name
	InCall                       // it makes an object the call of a tool
	InProfile                    // an agent's profile has it
)

// members are the members that mail has, by their names. Where forms of export name one
// differently, each name is a member of its own.
var members = map[string]Role{
	// Of a message.
	"id":           InSent,
	"thread_id":    InAddress | OfMail,
	"subject":      InMessage | InAddress,
	"body_md":      InMessage | OfMail,
	"body":         0, // also of other programs' messages
	"from":         InSent,
	"sender":       0,
	"sender_name":  0, // the argument of a tool, too
	"sender_id":    OfMail,
	"created":      InSent,
	"created_ts":   InSent | OfMail,
	"importance":   0,
	"ack_required": OfMail,
	"to":           InAddress,
	"cc":           0,
	"bcc":          0,
	"recipients":   0,
	"snippet":      0, // the excerpt of a share's viewer
	"kind":         0, // of an inbox: to, cc or bcc
	"message_id":   InAddress,
	"project_slug": OfMail,
	"project_id":   0,

	// Of what is around messages.
	"project":           0,
	"project_key":       0,
	"projects":          0,
	"slug":              0, // of a project
	"human_key":         0,
	"agent":             0,
	"messages":          0,
	"deliveries":        HoldsMail,
	"payload":           0,
	"contents":          HoldsMail,
	"content":           MayHoldMail,
	"structuredContent": HoldsMail,
	"text":              0,
	"result":            HoldsMail,
	"error":             MayHoldMail,
	"message":           0, // of an error
	"isError":           0,
	"uri":               0,
	"blob":              0,
	"jsonrpc":           0,

	// Of the call of a tool that sends mail, as a request or a hook's input.
	"method":      InCall,
	"params":      InCall,
	"name":        0,
	"arguments":   0,
	"tool_name":   InCall,
	"tool_input":  InCall,
	"mcp_context": InCall,

	// Of an agent's profile, and of the messages of a chat, which are not mail.
	"program":      InProfile,
	"inception_ts": InProfile,
	"role":         0,
}

// names has each name by itself: Named need not copy what it is asked for.
var names = func() map[string]string {
	out := make(map[string]string, len(members))
	for name := range members {
		out[name] = name
	}
	return out
}()

// Named returns the name of a member, given as a part of a text; "" if mail has none of that name.
func Named(name []byte) string { return names[string(name)] }

// IsMember reports whether mail has a member of that name.
func IsMember(name string) bool { return names[name] != "" }

// HasRole reports whether a member has one of the roles.
func HasRole(name string, any Role) bool { return members[name]&any != 0 }

// Members are the members of an object that mail has, each once.
type Members []string

// Add adds a member, unless mail has none of that name.
func (s *Members) Add(name string) {
	if IsMember(name) && !slices.Contains(*s, name) {
		*s = append(*s, name)
	}
}

// Has reports whether any of some members is there.
func (s Members) Has(any ...string) bool {
	return slices.ContainsFunc(any, func(name string) bool { return slices.Contains(s, name) })
}

// HasRole reports whether a member has one of the roles.
func (s Members) HasRole(any Role) bool {
	return slices.ContainsFunc(s, func(name string) bool { return HasRole(name, any) })
}

// Names are the names of all members that mail has.
func Names() []string { return slices.Collect(maps.Keys(members)) }
