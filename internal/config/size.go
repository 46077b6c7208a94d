package config

import (
	"errors"
	"strconv"
	"strings"
)

var sizeUnits = []struct {
	suffix string
	factor int64
}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}, {"", 1}}

// parseSize reads a number of bytes such as 512MB; units are powers of 1024.
func parseSize(s string) (Size, error) {
	upper := strings.ToUpper(strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "iB", "B"))
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(upper, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 1 || n > (1<<62)/u.factor {
			break
		}
		return Size(n * u.factor), nil
	}
	return 0, errors.New("expected a size such as 512MB")
}
