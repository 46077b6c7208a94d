package mail

// Member is the name of a member of the JSON of exports and drafts (mail_formats.md sections 1
// to 6). If one member has several names, each is a Member of its own, because forms of export
// differ in which they have.
type Member uint8

// The members, grouped by the objects that have them.
const (
	// Of a message.
	MemberID Member = iota + 1
	MemberThreadID
	MemberSubject
	MemberBodyMD
	MemberBody // also of other programs' messages
	MemberFrom
	MemberSender     // an alias of from
	MemberSenderName // an alias of from; the argument of a tool
	MemberSenderID
	MemberCreated
	MemberCreatedTS // an alias of created
	MemberImportance
	MemberAckRequired
	MemberTo
	MemberCc
	MemberBcc
	MemberRecipients
	MemberSnippet // the excerpt of a share's viewer
	MemberKind    // of an inbox: to, cc or bcc
	MemberMessageID
	MemberProjectSlug
	MemberProjectID

	// Of what is around messages.
	MemberProject
	MemberProjectKey
	MemberProjects
	MemberAgent
	MemberMessages
	MemberDeliveries
	MemberPayload
	MemberContents
	MemberContent
	MemberStructuredContent
	MemberText
	MemberResult
	MemberError
	MemberIsError
	MemberURI
	MemberJSONRPC

	// Of the call of a tool that sends mail, as a request or a hook's input.
	MemberMethod
	MemberParams
	MemberName
	MemberArguments
	MemberToolName
	MemberToolInput
	MemberMCPContext

	// Of an agent's profile, and of the messages of a chat, which are not mail.
	MemberProgram
	MemberInceptionTS
	MemberRole
)

// Role is what a member says about its object.
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

// members is the table: the name of each member, and its roles.
var members = [...]struct {
	name  string
	roles Role
}{
	MemberID:          {"id", InSent},
	MemberThreadID:    {"thread_id", InAddress | OfMail},
	MemberSubject:     {"subject", InMessage | InAddress},
	MemberBodyMD:      {"body_md", InMessage | OfMail},
	MemberBody:        {"body", 0},
	MemberFrom:        {"from", InSent},
	MemberSender:      {"sender", 0},
	MemberSenderName:  {"sender_name", 0},
	MemberSenderID:    {"sender_id", OfMail},
	MemberCreated:     {"created", InSent},
	MemberCreatedTS:   {"created_ts", InSent | OfMail},
	MemberImportance:  {"importance", 0},
	MemberAckRequired: {"ack_required", OfMail},
	MemberTo:          {"to", InAddress},
	MemberCc:          {"cc", 0},
	MemberBcc:         {"bcc", 0},
	MemberRecipients:  {"recipients", 0},
	MemberSnippet:     {"snippet", 0},
	MemberKind:        {"kind", 0},
	MemberMessageID:   {"message_id", InAddress},
	MemberProjectSlug: {"project_slug", OfMail},
	MemberProjectID:   {"project_id", 0},
	MemberProject:     {"project", 0},
	MemberProjectKey:  {"project_key", 0},
	MemberProjects:    {"projects", 0},
	MemberAgent:       {"agent", 0},
	MemberMessages:    {"messages", 0},
	MemberDeliveries:  {"deliveries", HoldsMail},
	MemberPayload:     {"payload", 0},
	MemberContents:    {"contents", HoldsMail},
	MemberContent:     {"content", MayHoldMail},
	MemberText:        {"text", 0},
	MemberResult:      {"result", HoldsMail},
	MemberError:       {"error", MayHoldMail},
	MemberIsError:     {"isError", 0},
	MemberURI:         {"uri", 0},
	MemberJSONRPC:     {"jsonrpc", 0},
	MemberMethod:      {"method", InCall},
	MemberParams:      {"params", InCall},
	MemberName:        {"name", 0},
	MemberArguments:   {"arguments", 0},
	MemberToolName:    {"tool_name", InCall},
	MemberToolInput:   {"tool_input", InCall},
	MemberMCPContext:  {"mcp_context", InCall},
	MemberProgram:     {"program", InProfile},
	MemberInceptionTS: {"inception_ts", InProfile},
	MemberRole:        {"role", 0},

	MemberStructuredContent: {"structuredContent", HoldsMail},
}

// byName finds members by their names.
var byName = func() map[string]Member {
	out := make(map[string]Member, len(members))
	for m := range members {
		if members[m].name != "" {
			out[members[m].name] = Member(m)
		}
	}
	return out
}()

// MemberOf returns the member with a name, written without quotes; 0 if mail has no such member.
// It does not allocate.
func MemberOf[T ~string | ~[]byte](name T) Member { return byName[string(name)] }

// Members is a set of members, such as those of an object.
type Members uint64

// Add adds a member.
func (s *Members) Add(m Member) { *s |= 1 << m }

// Has reports whether the set has any of some members.
func (s Members) Has(any ...Member) bool {
	for _, m := range any {
		if s&(1<<m) != 0 {
			return true
		}
	}
	return false
}

// HasRole reports whether a member of the set has one of the roles.
func (s Members) HasRole(any Role) bool {
	for m := range members {
		if s.Has(Member(m)) && Member(m).Has(any) {
			return true
		}
	}
	return false
}

// String returns the member's name, as exports write it; "" if there is no such member.
func (m Member) String() string {
	if int(m) < len(members) {
		return members[m].name
	}
	return ""
}

// Has reports whether the member has one of the roles.
func (m Member) Has(any Role) bool { return int(m) < len(members) && members[m].roles&any != 0 }
