package text

import (
	"fmt"
	"strings"
)

// plainID is an id that an error shows as it is. Others are texts of strangers.
var plainID = Pattern(`^[A-Za-z0-9._-]{1,100}$`)

// Few lists the first of many ids of threads or projects for an error.
func Few(ids []string) string {
	const most = 6
	var shown []string
	for i, id := range ids {
		if i == most && len(ids)-most > 1 {
			shown = append(shown, fmt.Sprintf("%d more", len(ids)-most))
			break
		}
		if !plainID().MatchString(id) {
			id = Quote(id)
		}
		shown = append(shown, id)
	}
	return strings.Join(shown, ", ")
}
