# Maekrak: `make run` starts the app, `make test` checks and tests it. Both set up a local virtual environment first, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The tests start a hundred Python processes: what they import is compiled once, though an image may ask for no bytecode at all.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup models speech whisper scaling login browser system run worker test tests hostile real check bench quality docs pictures clean

help: ## list what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.run-ready: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Maekrak needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -r requirements.txt
	touch $@

# torch first, so that nothing else chooses its version. On Linux PyPI has it with 2.7 GB of parts for CUDA; a build without them is
# installed by TORCH_INDEX=https://download.pytorch.org/whl/cpu.
$(VENV)/.models-ready: $(VENV)/.run-ready requirements-models.txt
	$(PIP) $(if $(TORCH_INDEX),--index-url '$(TORCH_INDEX)') torch==2.13.0
	$(PIP) -r requirements-models.txt
	touch $@

$(VENV)/.dev-ready: $(VENV)/.models-ready requirements-dev.txt requirements-speech.txt requirements-scaling.txt requirements-login.txt
	$(PIP) -r requirements-dev.txt
	touch $@

setup: $(VENV)/.run-ready ## set up the virtual environment

# Playwright MCP as the lock file has it, and no browser with it: the Chromium of the system is used.
browser/node_modules/.package-lock.json: browser/package.json browser/package-lock.json
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "The browser search needs node 20 or newer."; exit 1; }
	npm ci --prefix browser --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

browser: browser/node_modules/.package-lock.json ## install what searching in a real browser needs (node 20, npm)

models: $(VENV)/.models-ready ## install what runs a model of your own (EMBEDDING_MODEL=name or ENTAILMENT_MODEL=name downloads it, TORCH_INDEX=… for a CPU build)
	$(if $(findstring command,$(origin EMBEDDING_MODEL)),$(BIN)/python -c 'import sys, sentence_transformers; sentence_transformers.SentenceTransformer(sys.argv[1])' '$(EMBEDDING_MODEL)')
	$(if $(findstring command,$(origin ENTAILMENT_MODEL)),$(BIN)/python -c 'import sys, sentence_transformers; sentence_transformers.CrossEncoder(sys.argv[1])' '$(ENTAILMENT_MODEL)')

speech: setup ## install what reads the sound of videos and recordings, for transcripts
	$(PIP) -r requirements-speech.txt

# The model is downloaded here or not at all: WHISPER_MODEL=small makes it so, the app never does.
whisper: setup ## install faster-whisper, which transcribes on this machine (WHISPER_MODEL=small downloads that model, too)
	$(PIP) -r requirements-whisper.txt
	$(if $(WHISPER_MODEL),$(BIN)/python -c 'import sys, faster_whisper; faster_whisper.download_model(sys.argv[1])' '$(WHISPER_MODEL)')

scaling: setup ## install the client of Redis, which several processes share (REDIS_URL)
	$(PIP) -r requirements-scaling.txt

login: setup ## install what logging in to the pages needs ([auth] in .streamlit/secrets.toml)
	$(PIP) -r requirements-login.txt

system: ## install what the tests need beside Python (Chromium, Redis, …), where this user may
	@MAKE="$(MAKE)" sh tests/install_system_parts.sh

run: setup ## start the app on http://localhost:8501 (PORT=… for another)
	$(BIN)/streamlit run app.py --server.port $(PORT)

worker: setup ## start a process that only works on research and checks of videos (DATABASE_URL shared with the pages)
	$(BIN)/python -m search_core worker

test: $(VENV)/.dev-ready system ## check and test everything, both at once
	+@$(MAKE) --no-print-directory --keep-going --jobs=2 check tests

# A file is one worker's, so that what its tests share is started once; measures of quality come first and Chromium last. On two cores
# three workers take 8 minutes, two a fifth more, for much of it is waiting.
tests: $(VENV)/.dev-ready
	$(BIN)/python -m pytest --numprocesses=3 --dist=loadfile --no-loadscope-reorder

hostile: $(VENV)/.dev-ready ## try the largest hostile files and thousands of generated ones; takes half an hour
	HOSTILE_BYTES=19000000 HOSTILE_EXAMPLES=2000 $(BIN)/python -m pytest --timeout 1800 tests/hostile

# In an environment of its own, which sees what the tests have: 1 GB of models belongs to nothing else.
.real/.ready: $(VENV)/.dev-ready requirements-whisper.txt tests/real/requirements.txt
	test -x .real/bin/python || $(PYTHON) -m venv .real
	$(BIN)/python -c 'import site; print(site.getsitepackages()[0])' > .real/tests.pth
	mv .real/tests.pth "$$(.real/bin/python -c 'import site; print(site.getsitepackages()[0])')"
	.real/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-whisper.txt -r tests/real/requirements.txt
	touch $@

real: .real/.ready ## walk the product with a real recogniser and language models (RECORDINGS=folder of sounds with their words)
	.real/bin/python -m tests.real $(if $(RECORDINGS),--recordings '$(RECORDINGS)')

check: $(VENV)/.dev-ready ## lint, types, import arrows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

quality: $(VENV)/.dev-ready ## measure quality against the floors in tests/quality/floors.json (SINCE=… only what a change can move)
	$(BIN)/python -m tests.quality.gate $(if $(SINCE),--since '$(SINCE)')

bench: $(VENV)/.dev-ready ## measure speed and memory
	$(BIN)/python -m benchmarks

docs: $(VENV)/.dev-ready ## write the settings into .env.example and docs/settings.md anew
	$(BIN)/python -m tests.house.write_settings

pictures: $(VENV)/.dev-ready ## play the demo and take the README's pictures anew
	$(BIN)/python -m tests.browser.demo

clean: ## remove the virtual environment and caches; data/ stays
	rm -rf $(VENV) .real browser/node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
