// Floor does the least that a check of some inputs must do: it reads them,
// decodes their JSON and that of their delta blocks, and reads the block
// structure of their Markdown, with the libraries and the number of workers
// that brennerlint has. What a whole check takes compared with it is the measure of
// its speed (.ci/bench).
//
//	go run ./internal/gen/floor PATH...
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/ncruces/go-sqlite3"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

func main() {
	for _, path := range os.Args[1:] {
		if err := run(path); err != nil {
			fmt.Fprintln(os.Stderr, "floor:", err)
			os.Exit(1)
		}
	}
}

// run hands the files below a path, or the bodies of a database, to the workers.
func run(path string) error {
	work := make(chan func() error, 64)
	failed := make([]error, runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for i := range failed {
		workers.Go(func() {
			for do := range work {
				failed[i] = cmp.Or(failed[i], do())
			}
		})
	}
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case filepath.Ext(path) == ".sqlite3":
			return database(path, work)
		}
		work <- func() error { return file(path) }
		return nil
	})
	close(work)
	workers.Wait()
	return errors.Join(append(failed, err)...)
}

// file does what must be done for an artifact, a message or a thread.
func file(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if filepath.Ext(path) == ".json" {
		return decode(data)
	}
	if front, body, ok := bytes.Cut(data, []byte("\n---\n")); ok && bytes.HasPrefix(front, []byte("---json\n")) {
		if err := decode(front[len("---json\n"):]); err != nil {
			return err
		}
		if dir := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(path)))); dir == "inbox" || dir == "outbox" {
			return nil // a copy, which need not be parsed
		}
		data = body
	}
	return blocks(data)
}

// decode reads all tokens of a JSON text, and the bodies among them.
func decode(data []byte) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(data))
	name := ""
	for {
		tok, err := d.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case name == "body_md" && tok.Kind() == '"':
			if err := blocks([]byte(tok.String())); err != nil {
				return err
			}
		}
		name = ""
		if kind, n := d.StackIndex(d.StackDepth()); kind == '{' && n%2 == 1 && tok.Kind() == '"' {
			name = tok.String()
		}
	}
}

var blockParser = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// blocks reads the block structure of a body and the JSON of its delta blocks.
func blocks(data []byte) error {
	root := blockParser.Parse(text.NewReader(data))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		f, ok := n.(*ast.FencedCodeBlock)
		if !ok || string(f.Language(data)) != "delta" {
			continue
		}
		d := jsontext.NewDecoder(bytes.NewBuffer(f.Lines().Value(data)))
		for {
			if _, err := d.ReadToken(); err != nil {
				break // some deltas are broken: that is what is checked
			}
		}
	}
	return nil
}

// database hands the bodies of a database to the workers.
func database(path string, work chan<- func() error) error {
	conn, err := sqlite3.Open(path)
	if err != nil {
		return err
	}
	defer conn.Close()
	rows, _, err := conn.Prepare("SELECT id, project_id, sender_id, thread_id, subject, ack_required, created_ts, body_md FROM messages")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Step() {
		body := rows.ColumnBlob(7, nil)
		work <- func() error { return blocks(body) }
	}
	return rows.Err()
}
