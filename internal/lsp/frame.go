package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxFrame bounds a message that a client sends, in bytes.
	maxFrame = 64 << 20
	// maxHeader bounds the lines before a message.
	maxHeader = 4 << 10
)

// frameError is a message that cannot be read. What follows it can.
type frameError struct{ reason string }

func (e *frameError) Error() string { return e.reason }

// readFrame reads a message: header lines, an empty line, and as many bytes as
// Content-Length says. Of a message that is too large nothing is kept.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if length > maxFrame {
		if _, err := io.CopyN(io.Discard, r, length); err != nil {
			return nil, err
		}
		return nil, &frameError{fmt.Sprintf("the message is larger than %d MiB", maxFrame>>20)}
	}
	// What is said to come may never come: memory is taken as it does.
	data, err := io.ReadAll(io.LimitReader(r, length))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) < length:
		return nil, io.ErrUnexpectedEOF
	}
	return data, nil
}

// readHeader returns the length of the message that follows. Lines that are not a header
// are passed over up to the next empty line.
func readHeader(r *bufio.Reader) (length int64, err error) {
	length = -1
	total := 0
	var bad *frameError
	for {
		line, long, err := readLine(r)
		if err != nil {
			if errors.Is(err, io.EOF) && (line != "" || total > 0) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		if at := indexOfLength(line); at > 0 || bad != nil && at == 0 { // the rest of a message that could not be read
			line, long, bad, length, total = line[at:], false, nil, -1, 0
		}
		total += len(line) + 1
		name, value, isField := strings.Cut(line, ":")
		switch {
		case line == "" && bad != nil:
			return 0, bad
		case line == "" && length >= 0:
			return length, nil
		case line == "" && total > 1:
			return 0, &frameError{"the header lacks Content-Length"}
		case line == "":
			total = 0 // between two messages
		case long || total > maxHeader:
			bad = &frameError{fmt.Sprintf("the header is larger than %d KiB", maxHeader>>10)}
		case !isField:
			bad = &frameError{"the header has a line without a colon"}
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil || n < 0 || length >= 0 && n != length {
				bad = &frameError{"Content-Length is not one number of bytes"}
				continue
			}
			length = n
		}
	}
}

// indexOfLength returns where a line has the field that every header has; -1 if it has none.
func indexOfLength(line string) int {
	return strings.LastIndex(strings.ToLower(line), "content-length:")
}

// readLine reads a line without its end, of a long one the last part.
func readLine(r *bufio.Reader) (line string, long bool, err error) {
	var out []byte
	for {
		part, err := r.ReadSlice('\n')
		out = append(out, part...)
		if n := len(out) - maxHeader; n > 0 {
			long, out = true, append(out[:0], out[n:]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.TrimRight(string(out), "\r\n"), long, err
		}
	}
}

// frameWriter writes messages, each whole.
type frameWriter struct {
	mu  sync.Mutex
	out io.Writer
	err error // why nothing is written after the first failure
}

func (w *frameWriter) write(data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		frame := append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(data)), data...)
		_, w.err = w.out.Write(frame)
	}
	return w.err
}
