//go:build js

// Command brennerlint-wasm is the program for a browser, run in a worker: it gives
// the page a function that answers requests (package playground).
//
//	GOOS=js GOARCH=wasm go build -o brennerlint.wasm ./cmd/brennerlint-wasm
package main

import (
	"syscall/js"

	"github.com/brennerlint/brennerlint/internal/playground"
	"github.com/brennerlint/brennerlint/rules"
)

// version is that of the site, set when it is built.
var version = "dev"

func main() {
	all := rules.All()
	answer := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) != 1 || args[0].Type() != js.TypeString {
			return nil
		}
		return string(playground.Handle(all, version, []byte(args[0].String())))
	})
	js.Global().Call("brennerlintReady", answer)
	select {} // the function lives as long as the worker
}
