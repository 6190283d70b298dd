# You can work without make: README.md lists the main commands.

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/pip install --disable-pip-version-check -qq --constraint constraints.txt --editable

# Reinstall when one of these files changes.
SOURCES := pyproject.toml constraints.txt hatch_build.py $(wildcard tools/fetch_assets.py tools/compile_solver.py app/solver/*.p*)
SITE := .venv/site-installed
TOOLS := .venv/tools-installed

# `git clean` removes the downloaded browser assets but not .venv: reinstall in that case.
ifeq ($(and $(wildcard static/vendor/*.js),$(wildcard static/vendor/*.woff2)),)
$(shell rm -f $(SITE) $(TOOLS))
endif

.DEFAULT_GOAL := help
.PHONY: help run test check format messages bench soak simulate clean

help:  ## List these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: $(SITE) .venv/catalogs-compiled  ## Serve the site on http://127.0.0.1:8000, on SQLite
	@echo "Serving on http://127.0.0.1:$${FAIRDEAL_PORT:-8000} in a few seconds; Ctrl+C stops it"
	$(BIN)/fairdeal serve

test: $(TOOLS) .venv/catalogs-compiled  ## Run all tests, on SQLite, on PostgreSQL and in a browser
	$(BIN)/pytest --numprocesses auto

check: $(TOOLS)  ## Check format, style, types and import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint templates --check --lint
	$(BIN)/python -m tools.translations check

format: $(TOOLS)  ## Format sources and templates
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	$(BIN)/djlint templates --reformat --quiet

messages: $(TOOLS)  ## Collect all texts for translation, and merge them into locale/
	$(BIN)/python -m tools.translations update
	$(BIN)/python -m tools.translations compile

bench: $(TOOLS)  ## Run the benchmarks
	$(BIN)/python -m bench

soak: $(TOOLS)  ## Play by insight for hours, resumable: KEEP=FILE, DEALS=N
	$(BIN)/python -m bench.insight --deals $(or $(DEALS),200) --budget 20000 100000 400000 --keep $(or $(KEEP),insight.jsonl)
	$(BIN)/python -m bench.insight_calibration $(or $(KEEP),insight.jsonl)

simulate: $(TOOLS)  ## Simulate the site: SEEDS=N, SECONDS=S, or SEED=K again
	$(BIN)/python -m simulation $(if $(SEED),--seed $(SEED)) $(if $(SEEDS),--seeds $(SEEDS)) $(if $(SECONDS),--seconds $(SECONDS))

clean:  ## Remove the virtual environment and caches, but no data
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache static/vendor

$(BIN)/python:
	@echo "Making a virtual environment in .venv (some seconds)"
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv .venv

# Translations alone need no installation.
CATALOGS := $(wildcard locale/*/LC_MESSAGES/*.po)

.venv/catalogs-compiled: $(CATALOGS) | $(SITE)
	$(BIN)/python -m tools.translations compile
	@touch $@

$(SITE): $(BIN)/python $(SOURCES)
	@echo "Installing the site into .venv and compiling the solver (a few minutes; pip is silent)"
	$(INSTALL) .
	@touch $@

$(TOOLS): $(BIN)/python $(SOURCES)
	@echo "Installing the site and its tools into .venv and compiling the solver (a few minutes; pip is silent)"
	$(INSTALL) '.[dev,bench]'
	@touch $(SITE) $@
