# Verbs: run, check, test, test-hosts, test-all, bench, docs, wheel, setup. Everything else is behind them.
SHELL := /bin/sh
PYTHON ?= python3
PORT ?= 8000
# 127.0.0.1: this machine alone; lan: everybody in its network; or an address of this machine.
HOST ?= 127.0.0.1
VENV := .venv
PY := $(VENV)/bin/python
# What runs the playground, and what tests it besides.
STAMP := $(VENV)/.setup-stamp
TESTS_STAMP := $(VENV)/.tests-stamp
INSTALLED_FROM := pyproject.toml requirements.lock tools/install.py

.PHONY: run check test test-hosts test-all bench docs wheel setup help
.DEFAULT_GOAL := help

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## make the virtual environment .venv/ with everything that the playground needs

$(STAMP): $(INSTALLED_FROM)
	@$(PYTHON) tools/install.py docs
	@touch $(STAMP)

$(TESTS_STAMP): $(INSTALLED_FROM)
	@$(PYTHON) tools/install.py dev docs
	@touch $(STAMP) $(TESTS_STAMP)

run: $(STAMP) ## start the playground on http://127.0.0.1:8000; PORT=8080 chooses another port, HOST=lan admits others
	@$(PY) manage.py play --host $(HOST) --port $(PORT)

# Tests start a hundred Python processes: each would compile every module anew where bytecode is not kept.
check test test-hosts test-all: export PYTHONDONTWRITEBYTECODE =

# A process for each core of a small machine in `make test`, more in `make test-all`, where tests wait for many browsers.
# Each process imports everything and reads the compiled code of all loops.
PYTEST := $(PY) -m pytest -q --dist loadgroup

check: $(TESTS_STAMP) ## check format, style, types, imports and the page's scripts; run the core's quick tests: 2 minutes
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports
	@$(PY) -m tests.kernels
	@$(MAKE) --no-print-directory -j 2 types scripts quick

test: $(TESTS_STAMP) ## run every check and tests of every part, browser tests included: 7 minutes, more with nothing compiled
	@$(PY) -m tests.chromium
	@$(PY) -m tests.postgres
	@$(PY) manage.py bundle
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports
	@$(PY) -m tests.kernels
	@$(MAKE) --no-print-directory -j 2 types suite

# Side by side: types take one core for most of a minute, and tests wait for servers and browsers now and then.
.PHONY: types scripts quick suite
types: $(TESTS_STAMP)
	$(VENV)/bin/mypy

scripts: $(TESTS_STAMP)
	$(PY) -m tests.scripts

quick: $(TESTS_STAMP)
	$(PYTEST) -n 2 tests/core -m "not bench and not wide and not slow"

suite: $(TESTS_STAMP)
	$(PYTEST) -n 2 -m "not bench and not wide"

test-hosts: $(TESTS_STAMP) ## test a playground on five hosts, each a process, with PostgreSQL, Redis and an S3 store: 1 minute
	@$(PY) -m tests.postgres
	$(PY) -m pytest -q tests/integration/test_several_hosts.py

test-all: $(TESTS_STAMP) ## run every test: all schedulers, examples, oracles, claims; write docs/development/test-results.md
	@$(PY) -m tests.chromium
	@$(PY) -m tests.firefox
	@$(PY) -m tests.postgres
	@$(PY) manage.py bundle
	@$(PY) -m tests.kernels
	$(PYTEST) -n 5 -m "not bench" --hypothesis-profile many --results=docs/development/test-results.md

bench: $(TESTS_STAMP) ## measure the speed of the schedulers; print a table and write bench.json
	@$(PY) -m bench

docs: $(STAMP) ## build the documentation, which the playground serves at /docs/
	@$(PY) tools/docs/build.py

wheel: $(STAMP) docs ## build a wheel of the playground, with its pages and documentation, in dist/
	@$(PY) manage.py bundle
	@$(PY) -m pip wheel --quiet --no-deps --wheel-dir dist .
	@ls dist/*.whl
