.PHONY: generate
generate: ## make everything that comes from schema/*.cue
	go run ./internal/schemagen
