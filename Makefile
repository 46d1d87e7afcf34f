# Farkle Crib. The two main commands: `make play` starts the table on the desk, `make test` checks a change.
# `make help` lists the rest.

SHELL := /bin/sh
PYTHON ?= python3
ARGS ?=
DIST ?= dist
VENV := .venv
SCENES := .venv-scenes
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
LOCKED := $(PIP) install --require-hashes --no-build-isolation --requirement
# Three workers on two cores: a test that waits for a program leaves its core to another.
TESTS := $(BIN)/pytest -n 3 --dist worksteal
LOCK := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --generate-hashes \
  --no-emit-index-url --no-emit-find-links $(ARGS)

.PHONY: help play install install-pi uninstall-pi deb test test-all test-fresh test-ha test-league test-pi test-deb test-arm test-vm check style types budgets run-tests chromium bench fit-confidence fit-limits train scenes coverage soak docs enclosure templates lock sbom wheel-dicereader dist audit clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

play: install ## Start the table on the desk; ARGS="--port 8099" passes options
	@FARKLECRIB_STARTED_BY=make $(BIN)/farklecrib play $(ARGS)

install: $(VENV)/installed ## Make .venv with everything the table needs

test: style chromium ## Install the tests' requirements, then run the checks and each test that guards behaviour
	@$(MAKE) --no-print-directory --jobs=2 types run-tests budgets PROFILE=few

test-all: style chromium ## The same with many examples, all browser sizes, OpenSCAD, templates and long evenings, in three random orders
	@$(MAKE) --no-print-directory --jobs=2 types run-tests budgets PROFILE=many MARKED="-m 'not soak'" ORDER=1
	@for each in 2 3; do $(MAKE) --no-print-directory run-tests PROFILE=few ORDER=$$each || exit 1; done

check: style types budgets ## Style, types, architecture, and the size of each folder

style: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

# The types are checked beside the tests: both use one core for long parts.
types: $(VENV)/installed-dev
	$(BIN)/mypy

budgets: $(VENV)/installed
	$(BIN)/python bench/code_lines.py

run-tests:
	HYPOTHESIS_PROFILE=$(PROFILE) TEST_ORDER=$(ORDER) $(TESTS) $(MARKED)

install-pi: ## On a Raspberry Pi: build the package and install it. ARGS=--dry-run only names the commands
	@systemd/install_pi.sh $(ARGS)

uninstall-pi: ## On a Raspberry Pi: remove the package and our boot lines, but not games and configuration
	@systemd/install_pi.sh --uninstall $(ARGS)

deb: $(VENV)/installed ## Debian packages into dist/; ARGS="--release trixie --arch arm64" builds one
	@$(BIN)/python systemd/debian/build.py $(ARGS)

test-deb: $(VENV)/installed-dev ## Build, check and install the packages in Debian roots of their own; asks for root
	@systemd/debian/test.sh

test-vm: $(VENV)/installed-dev ## Try the package on Debian with systemd, in a virtual machine; asks for root
	@tests/vm/make.sh $(ARGS)

test-fresh: ## Run `make play` and `make test` as a stranger does, in fresh Debian 12 and 13 roots; asks for root
	@tests/fresh/roots.sh

test-ha: $(VENV)/installed-dev ## Show the table to the newest Home Assistant that a Python of this machine takes, with a real Mosquitto
	@tests/home_assistant/run.sh

test-league: style chromium ## Run a league's tests with a real Mosquitto and PostgreSQL, ten minutes of kills among them
	@tests/league/run.sh

test-pi: ## Drive the real picamera2 on libcamera's virtual camera, in a Debian root of its own; asks for root
	@tests/virtual_camera/root.sh

test-arm: $(VENV)/installed-dev ## Compare an emulated Pi's processor with this one; asks for root
	@nice tests/arm/roots.sh

bench: $(VENV)/installed-dev ## Print every figure, with its n and its interval
	@for file in bench/*_bench.py; do echo "== $$file"; $(BIN)/python $$file $(ARGS) || exit 1; done

fit-confidence: $(VENV)/installed-train ## Fit the weights of the reader's confidence again
	$(BIN)/python bench/fit_confidence.py --write $(ARGS)

fit-limits: $(VENV)/installed-dev ## Fit the numbers of the reader's stages again; a night on two cores
	$(BIN)/python bench/fit_limits.py --write $(ARGS)

train: $(VENV)/installed-train ## Train the reader's three small networks again; an hour on two cores. ARGS="--only closeup --traced 3900"
	$(BIN)/python bench/training/train.py $(ARGS)

scenes: $(SCENES)/installed ## Trace scenes for training with Blender; hours, and goes on where it stopped. ARGS="--count 400 --to DIR"
	@nice -n 19 $(SCENES)/bin/python bench/training/make_scenes.py $(ARGS)

coverage: check chromium ## Run all tests but soak, and print the share of lines that they reach, package by package
	rm -rf out/coverage && mkdir -p out/coverage
	HYPOTHESIS_PROFILE=few $(BIN)/coverage run -m pytest -n 3 --dist worksteal -m 'not soak'
	$(BIN)/coverage combine --quiet 2>/dev/null; rm -f out/coverage/data.*  # a killed process leaves half a file
	@for each in farkle companion dicereader pegboard; do \
	  echo "$$each: $$($(BIN)/coverage report --include="*/$$each/*" --format=total --precision=1) % of lines"; \
	done

soak: $(VENV)/installed-dev ## The long, exhaustive tests
	HYPOTHESIS_PROFILE=many $(BIN)/pytest -m soak --timeout 7200

docs: $(VENV)/installed-dev ## Write the generated parts of the docs again
	$(BIN)/python docs/generate.py

enclosure: $(VENV)/installed ## Render all printed parts with OpenSCAD into out/enclosure; ARGS=--slice writes print times
	@$(BIN)/python board/enclosure/measures.py
	@$(BIN)/python board/enclosure/render.py $(ARGS)

templates: $(VENV)/installed-templates ## True-size templates into out/templates: tiled PDF, DXF and SVG; ARGS="--kerf 0.15"
	@$(BIN)/python board/enclosure/templates.py $(ARGS)

lock: $(VENV)/installed-release ## Write requirements/*.txt again from pyproject.toml; ARGS=--upgrade takes the newest versions
	$(LOCK) --python-version 3.11 requirements/build.in -o requirements/build.txt
	$(LOCK) --python-version 3.11 pyproject.toml -o requirements/play.txt
	$(LOCK) --python-version 3.11 pyproject.toml --extra templates -o requirements/templates.txt
	$(LOCK) --python-version 3.11 pyproject.toml --extra dev -o requirements/dev.txt
	$(LOCK) --python-version 3.11 pyproject.toml --extra dev --extra train --no-emit-package torch -o requirements/train.txt
	$(LOCK) --python-version 3.11 pyproject.toml --extra pi --extra mqtt -o requirements/pi.txt
	$(LOCK) --python-version 3.11 pyproject.toml --extra pi --extra pi5 --extra mqtt -o requirements/pi5.txt
	$(LOCK) --python-version 3.11 pyproject.toml --extra league -o requirements/league.txt
	$(LOCK) --python-version 3.11 pyproject.toml --extra release -o requirements/release.txt
	$(LOCK) --python-version 3.11 requirements/scenes.in -o requirements/scenes.txt
	$(LOCK) --python-version 3.13 tests/virtual_camera/requirements.in -o tests/virtual_camera/requirements.txt

sbom: $(VENV)/installed-release ## List the locked packages of desk, Pi and Pi 5 in out/sbom (CycloneDX)
	@mkdir -p out/sbom
	@for each in play pi pi5; do \
	  $(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible \
	    --output-file out/sbom/$$each.cdx.json requirements/$$each.txt || exit 1; \
	done

wheel-dicereader: $(VENV)/installed ## Build the reader as a distribution of its own in DIST (dist)
	@cd vision && "$(abspath $(BIN))/python" -m hatchling build --target wheel --directory "$(abspath $(DIST))"

dist: $(VENV)/installed ## Build the program as a wheel and as a source archive in DIST (dist)
	@"$(abspath $(BIN))/python" -m hatchling build --directory "$(abspath $(DIST))"

audit: $(VENV)/installed-release ## Compare the locked packages with the known vulnerabilities; needs the internet
	@for each in play pi pi5 dev release; do \
	  $(BIN)/pip-audit --require-hashes --disable-pip --requirement requirements/$$each.txt || exit 1; \
	done

clean: ## Remove what was built
	rm -rf $(VENV) $(SCENES) dist build

# A virtual environment needs Python 3.11 and its venv module. If one is missing, say what to install.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "farklecrib: expected Python 3.11 or newer, got: $$($(PYTHON) --version 2>&1)"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "farklecrib: expected Python's venv module; on Debian: sudo apt install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml requirements/build.txt requirements/play.txt | $(VENV)/bin/python
	@echo "farklecrib: installing into $(VENV) (once; about a minute)"
	@$(LOCKED) requirements/build.txt
	@$(LOCKED) requirements/play.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements/dev.txt
	@echo "farklecrib: installing what the tests need"
	@$(LOCKED) requirements/dev.txt
	@touch $@

$(VENV)/installed-templates: $(VENV)/installed requirements/templates.txt
	@echo "farklecrib: installing what writes PDF and DXF"
	@$(LOCKED) requirements/templates.txt
	@touch $@

$(VENV)/installed-train: $(VENV)/installed-dev requirements/train.txt requirements/torch.txt
	@echo "farklecrib: installing what training needs"
	@$(LOCKED) requirements/train.txt
	@$(PIP) install --requirement requirements/torch.txt
	@touch $@

# Blender's module exists for one version of Python, and holds numpy below 2: it never comes into $(VENV).
$(SCENES)/installed: requirements/scenes.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || \
	  { echo "farklecrib: expected Python 3.11, the only one that Blender's module bpy is made for, got: $$($(PYTHON) --version 2>&1); name it: make scenes PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv $(SCENES)
	@echo "farklecrib: installing Blender into $(SCENES) (once; 400 MB)"
	@$(SCENES)/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes --requirement requirements/scenes.txt
	@touch $@

# Independent of $(VENV)/installed, so that a change of pyproject.toml can be locked before it is installed.
$(VENV)/installed-release: requirements/build.txt requirements/release.txt | $(VENV)/bin/python
	@echo "farklecrib: installing what locks the packages"
	@$(LOCKED) requirements/build.txt
	@$(LOCKED) requirements/release.txt
	@touch $@

# The browser tests drive Debian's Chromium through Playwright, whose own program needs libatomic. The browser without
# windows takes two fifths of the processor's time; the tests drive the other one where it cannot be installed. Without
# both they are skipped; where CI is set they must run.
chromium: $(VENV)/installed-dev
	@{ command -v chromium-headless-shell && $(BIN)/playwright --version; } >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi; \
	  $$root true 2>/dev/null && echo "farklecrib: installing Chromium without windows for the browser tests" && \
	  { $$root apt-get update -qq && \
	    $$root apt-get install -y -qq --no-install-recommends chromium-headless-shell libatomic1; } >/dev/null 2>&1; } || \
	  { command -v chromium && $(BIN)/playwright --version; } >/dev/null 2>&1 || \
	  { lacks="Chromium; install it with: sudo apt install chromium-headless-shell libatomic1"; \
	    if [ -n "$$CI" ]; then echo "farklecrib: expected $$lacks"; exit 1; \
    else echo "farklecrib: the browser tests are skipped, because there is no $$lacks"; fi; }
