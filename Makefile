# Every target sets up what it needs. SERVE=0 makes the demo end instead of serving.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
CONNECT_TO ?=
SERVE ?= 1
NUMBERS ?=
HEADLINES ?=
PORT ?= 8765

.PHONY: demo test lint night site serve explore lock cassettes clean bench-search

$(READY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@echo "setting up (about a minute the first time) ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

demo: $(READY)
	@$(PY) -m tests.sim.demo --serve $(SERVE) --port $(PORT)

test: $(READY) lint
	$(PY) -m pytest -q

lint: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

# Tonight's real crawl and build: only in the repository that data/hub.toml names, and with a contact given there.
# Against a replay anywhere: make night CONNECT_TO=::127.0.0.1:8000
night: $(READY)
	$(PY) -m crawl check
	$(PY) -m crawl night $(foreach to,$(CONNECT_TO),--connect-to $(to))
	$(PY) -m crawl audit
	$(MAKE) site

site: $(READY)
	$(PY) -m build site
	$(PY) -m build check _site

serve: $(READY)
	$(PY) -m build serve _site

# The record in Datasette, on this machine: tables to filter, SQL, CSV and JSON.
explore: $(READY)
	$(PY) -m build explore

# The search measured against a plain reading and Pagefind: HEADLINES=file of Korean headlines, NUMBERS="10000" for less.
bench-search: $(READY)
	$(PY) -m bench.search $(NUMBERS) $(if $(HEADLINES),--headlines $(HEADLINES)) --pagefind

lock:
	$(VENV)/bin/uv pip compile --quiet --generate-hashes --no-emit-index-url --universal --python-version 3.11 --extra dev pyproject.toml -o requirements.lock

# Record the shape of our requests anew, against a loopback server of its own.
cassettes: $(READY)
	$(PY) -m tests.cassettes.record

clean:
	rm -rf .demo _site ._site.build .mypy_cache .ruff_cache .pytest_cache .hypothesis
