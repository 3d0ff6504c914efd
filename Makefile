# Four verbs: run, test, bench, setup. Everything else is behind them.
SHELL := /bin/sh
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.setup-stamp

.PHONY: run test bench setup help
.DEFAULT_GOAL := help

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1  /p' $(MAKEFILE_LIST)

setup: $(STAMP) ## virtual environment and dependencies in .venv/

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { echo "cannot make a virtual environment: install the venv module of $(PYTHON) (Debian: apt install python3-venv)" >&2; exit 1; }
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

run: $(STAMP) ## start the playground on http://127.0.0.1:$(PORT)
	@$(PY) manage.py play --port $(PORT)

test: $(STAMP) ## every check and every test, browser tests included
	@$(PY) -m tests.chromium
	@$(PY) -m tests.postgres
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -m pytest -q -n 3 --dist loadgroup --durations 10

bench: $(STAMP) ## speed of the schedulers: a table, and bench.json
	@$(PY) -m bench
