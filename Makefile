# tgmconv. `make` lists the targets.
SHELL := /bin/bash
GO ?= go
export CGO_ENABLED ?= 0
FUZZTIME ?= 10s
BIN := bin/tgmconv
GORELEASER ?= goreleaser

# Packages whose results must be the same on every machine, and packages that build for 32 bits.
EXACT := ./internal/catalog/... ./codec/... ./grib/... ./cmd/tgmconv/internal/gribtools/... ./importers/... ./look/... ./mars/... ./netcdf/... ./plot/... ./tgm/... ./serve/... ./zarr/...
LIBRARIES := $(EXACT) ./cf/... ./mapping/...

# Machines for which the command is built besides this one, and machines for which only the libraries are built.
MACHINES := linux/386 linux/s390x windows/amd64 darwin/arm64
EMBEDDED := wasip1/wasm js/wasm

# Tests and scripts of verbs that do one thing after the other, in which nothing can race, and tests that measure memory, of
# which the race detector takes some itself, or start very many commands.
NOT_RACED := 'TestBombs|TestMemory|TestReads(ItsZeros|WhatConvertWrites)|TestLarge(MessagesInPipes|Objects)|TestManyObjects|TestMatrix$$|TestFaults$$|TestKilledWorkers|TestTerminate|TestEntriesAreComplete|TestEvery(Bit|Byte|Octet)|TestGrouping|TestRangesOfExpanding|TestSourceEncoding|TestClauses|TestHostileTexts|TestMergedByOthers|TestScripts/^(bad|checksum|complete|doctor|dump|encoding|ends|format|get|grib|info|look|ls|netcdf|tet|unpack|usage|validate|view|where)'


.PHONY: viewer wheel help build demo test test-exhaustive race lint fuzz bench interop-setup interop dist clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

build: ## build bin/tgmconv
	@mkdir -p bin
	$(GO) build -trimpath -o $(BIN) ./cmd/tgmconv

viewer: ## bundle the TypeScript of the viewer of serve to cmd/tgmconv/internal/site/viewer/dist
	$(GO) generate ./cmd/tgmconv/internal/site/viewer

demo: build ## convert the real files in fixtures/ to demo/, draw a map, read back as Zarr over HTTP
	@./demo.sh $(BIN)

test: ## run the tests, with some of the cases of those that have very many
	$(GO) test -timeout 30m ./...

test-exhaustive: ## run the tests with all their cases
	TGMCONV_CASES=all $(GO) test -timeout 120m ./...

race: ## run the tests of the concurrent packages under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -timeout 30m -skip $(NOT_RACED) ./storage/... ./importers/... ./tgm/... ./serve/... ./zarr/... ./netcdf/... ./internal/archive/... ./internal/history/... ./internal/unpack/... ./internal/fromany/... ./dataset/... ./exporters/... ./cmd/...

lint: ## gofmt, go vet (64 and 32 bits), staticcheck, no fused products, and govulncheck where its database answers
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt needed: $$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags interop ./...
	@if pkg-config --exists netcdf 2>/dev/null; then CGO_ENABLED=1 $(GO) vet -tags libnetcdf ./netcdf; fi
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.1 ./...
	$(GO) run ./internal/lint/fused $(EXACT)
	@was=$$(cat cmd/tgmconv/internal/site/viewer/dist/* | sha256sum); $(GO) generate ./cmd/tgmconv/internal/site/viewer 2>/dev/null || exit 1; \
	  [ "$$was" = "$$(cat cmd/tgmconv/internal/site/viewer/dist/* | sha256sum)" ] || { echo "cmd/tgmconv/internal/site/viewer/dist was not what its sources give: commit what is there now"; exit 1; }
	@if curl -fsS --max-time 5 -o /dev/null https://vuln.go.dev/index/db.json 2>/dev/null; then \
	  $(GO) run golang.org/x/vuln/cmd/govulncheck@v1.1.4 ./...; \
	else echo "govulncheck: skipped: its database, vuln.go.dev, does not answer"; fi
	GOARCH=386 $(GO) vet $(LIBRARIES)
	@for machine in $(MACHINES); do echo "build for $$machine"; \
	  GOOS=$${machine%/*} GOARCH=$${machine#*/} $(GO) build -o /dev/null ./cmd/tgmconv || exit 1; done
	@for machine in $(EMBEDDED); do echo "build the libraries for $$machine"; \
	  GOOS=$${machine%/*} GOARCH=$${machine#*/} $(GO) build $(LIBRARIES) ./internal/catalog/... ./dataset/... ./exporters/... ./storage/... ./tet/... || exit 1; done

fuzz: ## fuzz every parser for FUZZTIME each
	@./interop/fuzz.sh $(FUZZTIME)

bench: ## compare speed and memory with libaec, ecCodes and the reference in one run
	@./bench/run.sh

interop-setup: ## install the outside programs into .interop/
	@./interop/setup.sh

interop: build ## compare with ecCodes, netCDF, the reference and Zarr clients
	@./interop/run.sh

dist: ## make the archives and packages of a release in dist/, publishing nothing (needs goreleaser)
	@command -v $(GORELEASER) >/dev/null || { echo "make dist needs goreleaser: go install github.com/goreleaser/goreleaser/v2@v2.16.0"; exit 1; }
	GOFLAGS= $(GORELEASER) release --snapshot --clean

wheel: ## make wheels for Python in dist/, for the platforms in PLATFORMS or all
	$(GO) run ./packaging/wheel -o dist $(PLATFORMS)

clean: ## remove results of build, demo and bench (.interop/ stays)
	rm -rf bin demo dist .bench
