// Command schemagen writes the JSON Schema of configuration files.
package main

import (
	"log"
	"os"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/rules"
)

func main() {
	if err := os.WriteFile(os.Args[1], config.SchemaJSON(rules.All()), 0o644); err != nil {
		log.Fatal(err)
	}
}
