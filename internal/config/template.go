package config

import _ "embed" // for Template

// Template is a configuration file in which every setting is explained and commented out.
//
//go:embed template.yaml
var Template []byte
