# Farkle Crib. The two commands that matter: `make play` starts the table on the desk, `make test` runs everything.
# `make help` lists the rest.

SHELL := /bin/sh
PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS := constraints.txt
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: help play install install-pi uninstall-pi test test-pi check unit bench fit-confidence train soak docs enclosure chromium clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

play: install ## Start the table on the desk; ARGS="--port 8099" passes options on
	@$(BIN)/farklecrib play $(ARGS)

install: $(VENV)/installed ## Make .venv with everything the table needs

test: check unit ## Install what the tests need too, then run everything

check: $(VENV)/installed-dev ## Style, types and architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/installed-dev chromium
	$(BIN)/pytest -n 2 --dist loadfile

install-pi: ## On a Raspberry Pi: install the table as a service; with sudo. ARGS=--dry-run says what it would do
	@$(PYTHON) systemd/install.py $(ARGS)

uninstall-pi: ## On a Raspberry Pi: take the service away; games and configuration stay
	@$(PYTHON) systemd/install.py --uninstall $(ARGS)

test-pi: ## Drive the real picamera2 on libcamera's virtual camera, in a Debian root of its own; asks for root
	@tests/virtual_camera/root.sh

bench: $(VENV)/installed-dev ## Print every figure, with its n and its interval
	@for file in bench/*_bench.py; do echo "== $$file"; $(BIN)/python $$file $(ARGS) || exit 1; done

fit-confidence: $(VENV)/installed-dev ## Fit the weights of the reader's confidence anew
	$(BIN)/python bench/fit_confidence.py --write $(ARGS)

train: $(VENV)/installed-train ## Train the reader's two small networks anew; with two cores half an hour
	$(BIN)/python bench/training/train.py $(ARGS)

soak: $(VENV)/installed-dev ## The long, exhaustive tests
	$(BIN)/pytest -m soak --timeout 7200

docs: $(VENV)/installed-dev ## Write the generated parts of the docs anew
	$(BIN)/python docs/generate.py

enclosure: $(VENV)/installed ## Render tray and board with OpenSCAD into out/enclosure: STL to print, PNG to look at
	@$(BIN)/python board/enclosure/measures.py
	@$(BIN)/python board/enclosure/render.py $(ARGS)

clean: ## Remove what was built
	rm -rf $(VENV) dist build

# A virtual environment needs Python 3.11 and its venv module; where one is missing, say what to install.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "farklecrib: expected Python 3.11 or newer, got: $$($(PYTHON) --version 2>&1)"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "farklecrib: expected Python's venv module; on Debian: sudo apt install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	@echo "farklecrib: installing into $(VENV) (once; about a minute)"
	@$(PIP) install --constraint $(CONSTRAINTS) --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@echo "farklecrib: installing what the tests need"
	@$(PIP) install --constraint $(CONSTRAINTS) --editable '.[dev]'
	@touch $@

$(VENV)/installed-train: $(VENV)/installed-dev
	@echo "farklecrib: installing what training needs"
	@$(PIP) install --constraint $(CONSTRAINTS) --editable '.[dev,train]'
	@touch $@

# The browser tests drive Debian's Chromium.
chromium:
	@command -v chromium >/dev/null || { \
	  echo "farklecrib: installing Chromium for the browser tests"; \
	  if [ "$$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi; \
	  { $$root apt-get update -qq && $$root apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 || \
	  { echo "farklecrib: expected Chromium for the browser tests; install it with: sudo apt install chromium"; exit 1; }; }
