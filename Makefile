# Verbs: run, check, test, test-all, bench, setup. Everything else is behind them.
SHELL := /bin/sh
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.setup-stamp

.PHONY: run check test test-all bench setup help
.DEFAULT_GOAL := help

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## virtual environment and dependencies in .venv/

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { echo "cannot make a virtual environment: install the venv module of $(PYTHON) (Debian: apt install python3-venv)" >&2; exit 1; }
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

run: $(STAMP) ## start the playground on http://127.0.0.1:$(PORT)
	@$(PY) manage.py play --port $(PORT)

# One process more than the two cores of a small machine: tests wait for servers and browsers now and then.
PYTEST := $(PY) -m pytest -q -n 3 --dist loadgroup

check: $(STAMP) ## format, lint, types, imports, the page's scripts and the quick tests of the core: 2 minutes
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -m tests.scripts
	$(PY) -m pytest -q -n 2 tests/core -m "not bench and not wide and not slow"

test: $(STAMP) ## every check, and tests of every part, browser tests included: 8 minutes, 12 with nothing compiled
	@$(PY) -m tests.chromium
	@$(PY) -m tests.postgres
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PYTEST) -m "not bench and not wide"

test-all: $(STAMP) ## every test: all schedulers, many examples, oracles, claims; writes docs/test-results.md
	@$(PY) -m tests.chromium
	@$(PY) -m tests.postgres
	$(PYTEST) -m "not bench" --hypothesis-profile many --results docs/test-results.md

bench: $(STAMP) ## speed of the schedulers: a table, and bench.json
	@$(PY) -m bench
