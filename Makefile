# What CI runs, and what you can run by hand. `make check` is all that must hold for a commit.
# The rest is for every night, for a release, or for one's own curiosity.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --silent
export GOFLAGS := $(GOFLAGS) -trimpath
.ONESHELL:
.PHONY: check test fuzz bench site growth properties coverage benchstat conformance vscode vulnerabilities reproducible released

check:
	.ci/run

test:
	go test ./...

# Every fuzz target for some time: make fuzz TIME=30s
TIME ?= 30s
fuzz:
	.ci/fuzz $(TIME)

# The program against the floor. `.ci/bench peers` and `.ci/bench scaling` compare more.
bench:
	.ci/bench

# The site and the HTML report in Chromium.
site:
	.ci/site

# Time grows with the input and not with its square: n, 2n and 4n of each shape in one process.
# It fails where 4n take more than 8 times as long as n: make growth SHAPES='^commands/.*keys'
SHAPES ?= .
growth:
	BRENNERLINT_GROWTH='$(SHAPES)' go test ./rules -run '^TestGrowthOfTime$$' -count 1 -v -timeout 5h | grep -v '^=== RUN'

# The property tests with many draws and a new seed: make properties CHECKS=10000 SEED=7
CHECKS ?= 10000
SEED ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
properties:
	echo "$(CHECKS) draws with seed $(SEED)"
	packages=$$(git grep -l '"pgregory.net/rapid"' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')
	go test -count 1 -timeout 5h $$packages -rapid.checks=$(CHECKS) -rapid.seed=$(SEED)

# How many statements of the core packages the tests run, whichever package's test it is. It
# fails where a package is below: make coverage LEAST=90
LEAST ?= 90
CORE := lint engine rules brenner brenner/artifact brenner/delta brenner/merge brenner/replay brenner/session
coverage:
	tmp=$$(mktemp -d)
	trap 'rm -rf "$$tmp"' EXIT
	go test -coverprofile="$$tmp/all" -coverpkg="$$(printf './%s,' $(CORE))" ./... >/dev/null
	low=0
	for package in $(CORE); do
	  { head -n 1 "$$tmp/all"; grep "/brennerlint/$$package/[^/]*:" "$$tmp/all"; } >"$$tmp/one"
	  percent=$$(go tool cover -func="$$tmp/one" | awk 'END { print $$NF + 0 }')
	  echo "$$percent % $$package"
	  awk "BEGIN { exit $$percent < $(LEAST) }" || low=1
	done
	exit $$low

# The benchmarks of the work tree and of a revision: make benchstat BASE=origin/main
BASE ?= origin/main
benchstat:
	tmp=$$(mktemp -d)
	trap 'git worktree remove --force "$$tmp/base"; rm -rf "$$tmp"' EXIT
	git worktree add --quiet "$$tmp/base" '$(BASE)'
	bench() { go test -run '^$$' -bench . -count 6 -benchtime 200ms ./... | grep -E '^(goos|goarch|pkg|cpu|Benchmark)'; }
	(cd "$$tmp/base" && bench) >"$$tmp/old"
	bench >"$$tmp/new"
	go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da "$$tmp/old" "$$tmp/new"

# The conformance suite against this program, in one process and case by case, and against the
# plain merge.
conformance: conformance/cases.json.gz
	tmp=$$(mktemp -d)
	trap 'rm -rf "$$tmp"' EXIT
	go build -tags packed -o "$$tmp/" ./cmd/brennerlint ./examples/adapters/plain
	lint=$$tmp/brennerlint
	"$$lint" conformance --format markdown --badge "$$tmp/badge.json" -- "$$lint" conformance --serve | tee -a "$${GITHUB_STEP_SUMMARY:-/dev/null}"
	grep -q '"color": "brightgreen"' "$$tmp/badge.json"
	"$$lint" conformance --per-case --kind subject,merge -- "$$lint" conformance --serve
	"$$lint" conformance --kind merge -- "$$tmp/plain"

# The types of the extension for VS Code, and its bundle. The lock file pins modules by their
# hashes, wherever they come from.
vscode:
	cd editors/vscode
	! grep -n '"resolved"' package-lock.json || { echo "write package-lock.json with omit-lockfile-registry-resolved=true"; exit 1; }
	npm ci --silent --no-audit --no-fund --ignore-scripts
	npm run --silent check
	npm run --silent build
	node --check dist/extension.js

# Known vulnerabilities in what the program calls.
vulnerabilities:
	go run golang.org/x/vuln/cmd/govulncheck@v1.8.0 ./...

# The program built twice as a release is, in different folders and the second time with an
# empty cache: the binaries are equal, byte for byte, and under 28.5 MB. The flags are those of
# .goreleaser.yaml.
reproducible:
	tmp=$$(mktemp -d)
	trap 'rm -rf "$$tmp"' EXIT
	build() {
	  mkdir -p "$$tmp/$$1"
	  git archive HEAD | tar -x -C "$$tmp/$$1"
	  make -C "$$tmp/$$1" --silent conformance/cases.json.gz
	  CGO_ENABLED=0 go -C "$$tmp/$$1" build -tags packed -trimpath -buildvcs=false \
	    -ldflags "-s -w -X github.com/brennerlint/brennerlint/cli.version=1.2.3" -o "$$tmp/$$1.built" ./cmd/brennerlint
	}
	build one
	GOCACHE=$$tmp/cache build another/folder
	cmp "$$tmp/one.built" "$$tmp/another/folder.built"
	sha256sum <"$$tmp/one.built"
	[ "$$(wc -c <"$$tmp/one.built")" -lt 28500000 ] || { echo "brennerlint has 28.5 MB or more"; exit 1; }

# The suite's cases as the binaries of a release hold them (conformance/packed.go).
conformance/cases.json.gz: conformance/cases/*.json
	cat $^ | gzip -9n >$@

# What the archives of a release hold besides the program. Manual pages are dated as the commit,
# so that they are the same whenever they are written.
released: conformance/cases.json.gz
	.ci/licenses THIRD_PARTY_LICENSES.txt
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) go run ./cmd/brennerlint man man
	mkdir -p completions
	for shell in bash zsh fish powershell; do
	  case $$shell in zsh) name=_brennerlint ;; powershell) name=brennerlint.ps1 ;; *) name=brennerlint.$$shell ;; esac
	  go run ./cmd/brennerlint completion "$$shell" >"completions/$$name"
	done
