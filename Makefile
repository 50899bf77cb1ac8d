# Everything a contributor types. `make setup` needs python3 >= 3.11 with venv, git and a registry;
# every other target sets up first, and a second set-up is instant.

export PYTHONDONTWRITEBYTECODE := # what pytest makes of the tests is kept for its next start
PYTHON ?= python3
UV_VERSION := 0.13.9
BIN := .venv/bin
UV := $(BIN)/uv
READY := .venv/.ready
PAGE := api/page/.stamp
CLIENT := client/treadle_client/models.py
SITE_TOOL := .venv/docs-site
PAGE_SOURCES := api/openapi.json $(shell find web -name node_modules -prune -o -name __pycache__ -prune -o -name schema.d.ts -prune -o -type f -print)

.PHONY: help setup demo quick test test-tail test-all agents agents-newest chaos chaos-forge chaos-hosts chaos-upgrade planted check check-python check-page fix replay record bench docs docs-site schema openapi lock image wheel client stories screenshots clean
.DEFAULT_GOAL := help

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 24

setup: $(READY) $(PAGE) $(CLIENT) ## Make .venv from the hash-locked requirements, the page and the client

$(READY): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Treadle needs Python 3.11 or newer; say which: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check uv==$(UV_VERSION)
	@$(UV) pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements-dev.lock
	@TREADLE_SKIP_PAGE=1 $(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q *.py treadle domain activities workflows adapters api cli # else the first start does
	@touch $@

$(PAGE): $(READY) $(PAGE_SOURCES)
	@echo "The page is being built (the first time, with its libraries: about a minute) ..."
	@$(BIN)/python web/build_page.py
	@touch $@

$(CLIENT): $(READY) api/openapi.json $(wildcard client/generator/*.py)
	@cd client && ../$(BIN)/python -m generator

demo: setup ## Run a whole job with the scripted agent; CRASH=1 kills the worker twice on the way
	@$(BIN)/treadle demo $(if $(CRASH),--crash)

quick: $(READY) $(CLIENT) ## Format, lint, import contracts and the tests that need no server: a minute
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/lint-imports
	@$(BIN)/pytest -q $(GROUPED) -n 2 --hypothesis-profile=quick -k "not wheel" $(PURE)

test: check ## Check, then run all tests but the long tail: half an hour
	@$(BIN)/python -m tests.page.chromium
	@$(BIN)/pytest -q $(GROUPED) -n 3 -m "not ($(TAIL))"

test-tail: setup ## Run the long tail alone: all agents, kills, chaos, screens and deployments
	@$(BIN)/python -m tests.page.chromium
	@$(BIN)/python -m tests.deploy.tools
	@$(BIN)/pytest -q $(GROUPED) -n 3 -m "$(TAIL)" --ignore $(SCREENS); first=$$?; \
	  $(BIN)/pytest -q $(GROUPED) -n 2 -m "$(TAIL)" $(SCREENS) && exit $$first

test-all: test test-tail ## Check, then run all tests

PURE := tests/domain tests/cli tests/activities tests/test_conventions.py tests/test_docs.py
TAIL := (e2e or agents) and not smoke
SCREENS := tests/page # alone: containers change the network, and Chromium then drops what it loads
GROUPED := --dist loadgroup --no-loadscope-reorder # more at a time than cores, as tests wait for processes

agents: $(READY) ## Drive all real agents, or AGENT=codex, through the matrix; write docs/reference/agents.md's table
	@$(BIN)/pytest -q tests/agents/test_matrix.py --every-agent $(if $(AGENT),-k "$(AGENT)")

agents-newest: $(READY) ## Drive them at the newest versions of their registries (nightly); AGENT=codex for one
	@$(BIN)/pytest -q tests/agents/test_matrix.py --newest $(if $(AGENT),-k "$(AGENT)")

chaos: $(READY) ## Kill parts at random until N runs were hit (50), then check everything; SEED=… for one again
	@$(BIN)/python -m tests.chaos --affected $(or $(N),50) $(if $(SEED),--seed $(SEED))

chaos-hosts: $(READY) ## Lose one of three hosts for good under sixty threads, and check everything (root); SEEDS="1 2 3"
	@$(BIN)/python -m tests.chaos.hosts $(if $(SEEDS),--seeds $(SEEDS)) $(if $(N),--threads $(N))

chaos-upgrade: $(READY) ## Replace two hosts and the API under load, and check that nothing is refused, lost or doubled; SEEDS="1 2"
	@$(BIN)/python -m tests.chaos.upgrades $(if $(SEEDS),--seeds $(SEEDS)) $(if $(N),--people $(N))

chaos-forge: $(READY) ## Publish N pull requests (20) on a forge with moods while the worker is killed, and count; SEEDS="1 2"
	@$(BIN)/python -m tests.chaos.publications $(if $(SEEDS),--seeds $(SEEDS)) $(if $(N),--pulls $(N))

planted: $(READY) ## Plant each bug of tests/planted in a copy and see that the tests find it; NAME=… for some
	@$(BIN)/python -m tests.planted $(if $(NAME),-k "$(NAME)")

check: $(READY) ## Format, lint, types, import contracts; the page is made meanwhile
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-python check-page

check-python: $(READY) $(CLIENT)
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/pyright
	@$(BIN)/lint-imports

check-page: $(PAGE)
	@$(NPM) run check && $(NPM) test

NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --silent --prefix web

fix: $(READY) ## Format, and fix what a tool can fix
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .
	@$(NPM) run fix

replay: $(READY) ## Replay the recorded histories of every released workflow
	@$(BIN)/pytest -q tests/replay

record: $(READY) ## Record those histories again, for a version that is not released yet
	@$(BIN)/python -m tests.replay.record

bench: $(READY) ## Measure against bare Temporal (bench/README.md)
	@$(BIN)/python -m bench $(ARGS)

docs: $(READY) ## Write the pages of docs/ that follow from the code: commands, settings, routes, events, errors
	@$(BIN)/typer treadle.commands utils docs --name treadle --title "The command line" --output docs/reference/cli.md
	@$(BIN)/python -m docs.build_reference

docs-site: $(SITE_TOOL)/.ready ## Build docs/ as a site with search in site/; broken links fail
	@$(SITE_TOOL)/bin/zensical build --strict

$(SITE_TOOL)/.ready: $(READY) docs/site.lock
	@$(BIN)/python -m venv --without-pip $(SITE_TOOL)
	@$(UV) pip sync --quiet --python $(SITE_TOOL)/bin/python --require-hashes docs/site.lock
	@touch $@

schema: $(READY) ## Write adapters/journal_file.sql from the tables of the journal
	@$(BIN)/python -m adapters.journal.schema_file

openapi: $(READY) ## Write api/openapi.json from the routes
	@$(BIN)/python -m api.openapi

lock: $(READY) ## Write the requirements files again, Treadle's and its built-in agent's
	@$(UV) pip compile $(LOCK_OPTIONS) --extra postgres --extra observe --output-file requirements.lock pyproject.toml
	@$(UV) pip compile $(LOCK_OPTIONS) --extra postgres --extra observe --extra dev --output-file requirements-dev.lock pyproject.toml
	@$(UV) pip compile $(LOCK_OPTIONS) --output-file docs/site.lock docs/site.txt
	@$(UV) pip compile $(LOCK_OPTIONS) --output-file $(AGENT)/requirements.lock $(AGENT)/requirements.txt

AGENT := adapters/builtin_agent
LOCK_OPTIONS := --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header

image: ## Build Treadle's container image with Podman, BASE=… of another Debian
	@podman build --file deploy/Containerfile $(if $(BASE),--build-arg BASE=$(BASE)) --tag treadle .

wheel: $(READY) ## Build dist/*.whl
	@$(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python

client: $(READY) ## Build client/dist/*.whl, the Python client
	@$(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir client/dist client

stories: setup ## Run an engine with something on every screen of the page; FILL=chat puts one story there again
	@$(BIN)/python -m tests.page.stories $(if $(FILL),--fill $(FILL))

screenshots: setup ## Take a picture of every screen, in .screenshots, and those of the docs
	@$(BIN)/pytest -q tests/page/test_screens.py tests/page/test_readme_picture.py tests/page/test_temporal_ui.py -k "accessible or picture" --pictures .screenshots

clean: ## Remove everything that was made
	@rm -rf .venv dist client/dist $(CLIENT) client/treadle_client/operations.py client/treadle_client/problems.py site .demo .stories .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
