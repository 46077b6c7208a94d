package rules

import "strings"

// shortSlug is slugOf limited to the words that fit.
func shortSlug(s string, most int) string {
	slug := slugOf(s)
	for len(slug) > most {
		at := strings.LastIndexByte(slug, '-')
		if at < 0 {
			return slug[:most]
		}
		slug = slug[:at]
	}
	return slug
}

// slugOf makes a slug of a text: in lower case, with hyphens between words.
func slugOf(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}
