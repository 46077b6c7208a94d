package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/brennerlint/brennerlint/conformance"
)

// answerer answers a case of a kind.
type answerer = func(kind conformance.Kind, input json.RawMessage) (any, error)

// Serve answers the cases that it reads, line by line, until the input ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, answer answerer) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	for ctx.Err() == nil {
		line, err := readLine(lines)
		if len(line) > 0 {
			data, bad := encodeLine(respond(line, answer))
			if bad != nil {
				return bad
			}
			if _, err := out.Write(data); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read a case: %w", err)
		}
	}
	return ctx.Err()
}

// respond answers a line.
func respond(line []byte, answer answerer) (res Response) {
	var req Request
	if err := json.Unmarshal(line, &req); err != nil {
		return Response{Error: fmt.Sprintf("the line is not a case: %v", err)}
	}
	res.ID = req.ID
	defer func() {
		if r := recover(); r != nil {
			res = Response{ID: req.ID, Error: fmt.Sprintf("internal error: %v", r)}
		}
	}()
	result, err := answer(req.Kind, req.Input)
	if err == nil {
		res.Result, err = encodeLine(result)
	}
	if err != nil {
		return Response{ID: req.ID, Error: err.Error()}
	}
	return res
}
