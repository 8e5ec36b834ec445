# Everything a person or a CI runs. `make help` lists the targets.
GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  = -s -w -X github.com/inferstack/inferstack/fn.version=$(VERSION)
# The Go that releases are built with: the newest patch, for its security fixes.
RELEASE_GO = go1.26.10
LINT     = $(GO) tool -modfile=internal/tools/go.mod golangci-lint

# Everything is compiled with the same flags, the programs' own: a package is compiled once for all that uses it.
export CGO_ENABLED = 0
export GOFLAGS    := $(strip $(GOFLAGS) -trimpath)

# Compilers and linters take a fifth less time when they collect their garbage less often.
COMPILE  = GOGC=400

# Garbage below 400 MiB is not collected: most tests, and the linkers, are over before. What vet finds is for make lint.
TEST     = GOGC=off GOMEMLIMIT=400MiB INFERSTACK_BIN=$(CURDIR)/bin $(GO) test -vet=off -timeout 30m

.DEFAULT_GOAL := help
.PHONY: help build demo test test-long generate golden lint fmt verify conformance oracle bench fuzz image licenses vuln release reproducible property clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/inferstack and the programs that it runs
	@$(COMPILE) $(GO) build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

demo: build ## build, and render examples/quickstart to the terminal
	@./bin/inferstack render --summary examples/quickstart/stack.yaml

test: build ## run the tests; test-long tries more
	$(TEST) ./...

# The packages of which make test runs a part.
LONG = ./convert/... ./schema/... ./wiring ./graph ./generators ./generators/smoketest ./internal/conform ./internal/growth ./internal/guides ./fn

test-long: build ## run the tests of which make test runs a part, whole
	LONG=1 $(TEST) $(LONG)

generate: ## rewrite what is generated from CUE, the release lines and the commands
	$(GO) run ./internal/schemagen
	UPDATE_GOLDEN=1 $(GO) test -vet=off ./fn -run TestGoldenCommandPages -count=1
	$(GO) run -tags uncompiled ./internal/releasegen
	$(GO) run -tags uncompiled ./internal/crdgen

golden: build ## rewrite the golden files; review the diff
	UPDATE_GOLDEN=1 $(TEST) ./generators/... ./fn ./schema/... ./convert/... ./release ./wiring ./graph ./internal/schemagen ./internal/guides -run 'Golden|Invalid|Refus|Reference' -count=1

lint: ## run the linters
	$(COMPILE) $(LINT) run ./...

fmt: ## format the code
	$(LINT) fmt ./...

verify: generate ## prove that generated files are current; the tests prove it of golden files
	git diff --exit-code
	@new=$$(git ls-files --others --exclude-standard); [ -z "$$new" ] || { echo "not checked in: $$new"; exit 1; }

conformance: build ## prove the output against the real components (long)
	@rm -f bin/conformance.txt
	cd conformance && $(GO) run ./cmd/assets && INFERSTACK_CONFORMANCE_TABLES=$(CURDIR)/bin/conformance.txt $(GO) test ./... -count=1 -p 1 -timeout 60m
	cd conformance/helm && $(GO) test ./... -count=1 -timeout 60m
	@cat bin/conformance.txt

oracle: ## hold SPECS (default 3000) random objects and stacks against the API server's own validation
	cd conformance/oracle && SPECS=$(or $(SPECS),3000) $(GO) test ./... -count=1 -timeout 4h

bench: ## measure against yardsticks, and write docs/benchmarks.md
	./hack/bench $(BENCH)

fuzz: ## fuzz each target, or TARGET, for FUZZTIME (default 1m)
	./hack/fuzz $(TARGET)

property: ## render SPECS (default 10000) arbitrary valid stacks, and have them judged
	SPECS=$(or $(SPECS),10000) $(GO) test ./schema/document ./fn ./convert/manifests ./internal/conform -run "TestValidMeansAccepted|TestMutations|TestHostileInput|TestHandEdited|TestLimits" -count=1 -timeout 4h

licenses: ## rewrite the list of the dependencies' licences
	./hack/licenses > LICENSES.md

vuln: ## look for known vulnerabilities in what is linked in
	GOVERSION=$(RELEASE_GO) ./hack/vuln

release: ## build archives, bills of materials, checksums and provenance for all platforms in dist/
	GOTOOLCHAIN=$(RELEASE_GO) $(GO) run ./internal/dist -version "$(VERSION)" -commit "$$(git rev-parse HEAD)" $(if $(BUILDER),-builder "$(BUILDER)")

reproducible: ## prove that two builds give the same bytes (compiles everything anew)
	REPRODUCIBLE=1 $(COMPILE) $(GO) test ./internal/dist -run TestReproducible -count=1 -timeout 60m

image: ## build the container images, for functions and for Argo CD's sidecar
	docker build --build-arg VERSION=$(VERSION) -t inferstack:$(VERSION) .
	docker build --build-arg VERSION=$(VERSION) --target argocd -t inferstack-argocd:$(VERSION) .

clean: ## remove what was built
	rm -rf bin dist
