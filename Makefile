# make lab: the lessons in JupyterLab. make test: everything that must pass.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: lab test test-all notebooks fix clean

lab: $(VENV)/.for-lab
	@$(BIN)/bpe-lessons lab $(OPTIONS)

test: $(VENV)/.for-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 2 --dist loadfile tests
	$(BIN)/python -m pytest -q -n 2 --dist loadfile --nbval --nbval-current-env --nbval-cell-timeout=120 \
		--nbval-sanitize-with=tests/nbval.cfg notebooks

test-all:
	@for v in 3.11 3.12 3.13; do \
		if python$$v -c 'import sys' 2>/dev/null; then \
			echo "== Python $$v" && $(MAKE) --no-print-directory test PYTHON=python$$v VENV=.venv-$$v || exit 1; \
		else echo "== Python $$v is not on this machine"; fi; \
	done

notebooks: $(VENV)/.for-test
	$(BIN)/python tools/record.py

fix: $(VENV)/.for-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .venv-*

NEW_ENOUGH = -c 'import sys; sys.exit(sys.version_info < (3, 11))'

$(VENV)/.for-lab: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or name it as in make lab PYTHON=python3.12"; exit 1; }
	@$(BIN)/python $(NEW_ENOUGH) 2>/dev/null && $(BIN)/python -m pip --version >/dev/null 2>&1 || { \
		$(PYTHON) $(NEW_ENOUGH) 2>/dev/null || { echo "$(PYTHON) is not a Python of version 3.11 or newer"; exit 1; }; \
		rm -rf $(VENV); \
		$(PYTHON) -m venv $(VENV) >/dev/null || { \
			rm -rf $(VENV); \
			echo "$(PYTHON) cannot make a virtual environment: install its venv module (Debian, Ubuntu: apt install python3-venv)"; \
			exit 1; }; }
	@echo "installing into $(VENV), about a minute the first time"
	@$(PIP) install -e .
	@touch $@

$(VENV)/.for-test: $(VENV)/.for-lab
	@$(PIP) install -e '.[test]'
	@touch $@
