// Command schemagen writes the JSON Schema of configuration files.
package main

import (
	"log"
	"os"

	"github.com/brennerlint/brennerlint/config"
)

func main() {
	if err := os.WriteFile(os.Args[1], config.SchemaJSON(), 0o644); err != nil {
		log.Fatal(err)
	}
}
