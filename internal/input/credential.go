package input

import "bytes"

// credentialNames are parts of the names of members that hold a credential, in lower case.
var credentialNames = [][]byte{
	[]byte("token"), []byte("secret"), []byte("password"), []byte("passwd"), []byte("credential"), []byte("authorization"),
	[]byte("apikey"), []byte("api_key"), []byte("api-key"),
}

// NamesCredential reports whether a text has a member whose name says that it holds a
// credential, as in a draft or a log: "sender_token": …, api-key = …. JSON in JSON escapes
// the quotes. Such a text is not shown if it cannot be parsed, since it may be a draft
// that was not recognised.
func NamesCredential(text []byte) bool {
	start := 0
	for i, c := range text {
		if c != ':' && c != '=' {
			continue
		}
		name := bytes.TrimRight(text[start:i], " \t\n\f\r\\\"'`”’")
		start = i + 1
		first := len(name)
		for first > 0 && isName(name[first-1]) {
			first--
		}
		if name = name[first:]; len(name) < len("token") {
			continue
		}
		name = bytes.ToLower(name)
		for _, part := range credentialNames {
			if bytes.Contains(name, part) {
				return true
			}
		}
	}
	return false
}

// isName reports whether a byte can be in the name of a member.
func isName(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
