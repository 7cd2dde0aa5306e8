# Two commands do everything: `make lab` opens the notebooks, `make test` runs every test.
# PYTHON=python3.12 chooses the interpreter; ARGS="…" goes on to the program that a target runs.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check -qq
TORCH := $(shell sed -n 's/^torch==\([^ ;]*\).*/\1/p' requirements.lock)
TORCH_CPU_INDEX := https://download.pytorch.org/whl/cpu

.PHONY: help lab test lint format notebooks bench clean lock

help:
	@echo "make lab        set up, then open JupyterLab on your own copy of the notebooks"
	@echo "make test       set up, then run every test, in two processes"
	@echo "make lint       ruff (lint and format) and mypy"
	@echo "make format     put lint and format right where ruff can"
	@echo "make notebooks  run the notebooks, store their outputs, write the run sheets (for authors)"
	@echo "make bench      print the benchmarks"
	@echo "make lock       work out the pinned versions anew (for authors)"
	@echo "make clean      remove the environment and caches; learners' copies stay"

lab: $(VENV)/.run
	$(BIN)/attn-lab lab $(ARGS)

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --durations=25 $(ARGS)

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

notebooks: $(VENV)/.test
	$(BIN)/python tests/notebooks/build.py $(ARGS)
	$(BIN)/python -m attn_lab.commands.handout.run_sheets notebooks

bench: $(VENV)/.test
	$(BIN)/python tests/bench/bench.py $(ARGS)
	$(BIN)/python -m tests.bench.commit_wait
	$(BIN)/python -m tests.bench.class_load --numbers
	$(BIN)/python tests/bench/notebook_waits.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp file says that the environment holds what the lock says, so a second call starts at once.
$(VENV)/.run: requirements.lock pyproject.toml | $(BIN)/python
	@$(install-torch)
	@echo "attn_lab: installing JupyterLab and the rest from requirements.lock"
	@$(PIP) --no-deps -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.test: requirements-test.lock $(VENV)/.run
	@echo "attn_lab: installing what the tests need from requirements-test.lock"
	@$(PIP) --no-deps -r requirements-test.lock
	@$(BIN)/python -m pip --disable-pip-version-check check
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "attn_lab needs Python 3.11 or newer; '$(PYTHON)' is `$(PYTHON) -V 2>&1`."; \
	  echo "Name a newer one, for example: make lab PYTHON=python3.12"; exit 1; }
	@echo "attn_lab: making an environment in $(VENV) with `$(PYTHON) -V`"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# On Linux, PyPI's torch brings gigabytes of CUDA; the notebooks need the CPU build only.
# Elsewhere PyPI's own build is the CPU build, and requirements.lock names it.
define install-torch
set -e; \
has() { $(BIN)/python -c 'import sys, importlib.metadata as m; \
sys.exit(not any(d.version.split("+")[0] == "$(TORCH)" for d in m.distributions(name="torch")))'; }; \
if has; then echo "attn_lab: torch $(TORCH) is already here"; \
elif test "`uname -s`" != Linux; then \
  echo "attn_lab: installing torch $(TORCH)"; $(PIP) -c requirements.lock torch==$(TORCH); \
else \
  echo "attn_lab: looking for the CPU build of torch $(TORCH) in this machine's package sources"; \
  $(PIP) -c requirements.lock "torch==$(TORCH)+cpu" 2>/dev/null || { \
    echo "attn_lab: not there; trying $(TORCH_CPU_INDEX) (about 200 MB)"; \
    $(PIP) --retries 1 --no-deps --index-url $(TORCH_CPU_INDEX) "torch==$(TORCH)+cpu" || { \
      echo "attn_lab: not reachable; taking torch $(TORCH) as PyPI has it (may bring CUDA, 3 GB)"; \
      $(PIP) -c requirements.lock "torch==$(TORCH)"; }; }; \
fi
endef

# uv solves for every platform at once. CUDA's packages are left out: torch brings its own.
UV = build/uv/bin/uv pip compile --quiet --universal --python-version 3.11 \
  --fork-strategy fewest --no-annotate --no-header pyproject.toml build/pins.in
lock:
	@$(PYTHON) -m venv build/uv && build/uv/bin/python -m pip install --quiet uv
	@printf 'torch==$(TORCH)\nhatchling\n' > build/pins.in
	@$(UV) $(ARGS) --extra class -o build/run.txt
	@$(UV) $(ARGS) --extra class --extra test --extra hub --extra postgres -c build/run.txt -o build/all.txt
	@sed -n '/^#/p' requirements.lock > build/run.head
	@sed -n '/^#/p;/^-r/p' requirements-test.lock > build/test.head
	@grep -Ev '^(nvidia|cuda|triton)' build/run.txt | cat build/run.head - > requirements.lock
	@awk -F'==' 'NR == FNR {seen[$$1] = 1; next} !($$1 in seen)' build/run.txt build/all.txt \
	  | cat build/test.head - > requirements-test.lock
	@wc -l requirements.lock requirements-test.lock
