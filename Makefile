# `make demo` and `make test` set up everything they need in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test contract slow paper warm hostile floors reproduction lint types bench generalise understand clean

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

demo: .venv/ready
	$(BIN)/python examples/demo.py

# Tests run in one process a core, each on one thread; what is compiled is kept and compiled before they start.
test contract slow paper warm hostile: export OMP_NUM_THREADS := 1
test contract slow paper warm hostile: export NUMBA_CACHE_DIR := $(CURDIR)/build/numba
PYTEST := $(BIN)/python -m pytest -n auto --durations 15 --dist

warm: .venv/ready
	$(BIN)/python tests/warm_up.py

test: warm
	$(PYTEST) loadfile -m "not paper and not slow"

# The whole matrix of estimators and scikit-learn's checks.
contract: warm
	$(PYTEST) worksteal -m contract

# What `make test` leaves out, the matrix of checks included, and all examples of each property.
slow: warm
	EXAMPLES=1 $(PYTEST) worksteal -m "(slow or hypothesis) and not paper"

paper: warm
	$(PYTEST) worksteal -m paper

# Mutated model files, hostile tables, kills and odd places, for HOSTILE seconds (60); failures are kept in build/hostile.
hostile: warm
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: atheris
	$(BIN)/python tests/hostile/run.py

# The smoke test with the lowest versions that pyproject.toml allows, and with the newest for each Python there is,
# or, with FLOORS=ends, for the newest Python alone; environments are in build/floors.
floors: .venv/ready
	$(BIN)/python tests/floors.py

# Every experiment as often as in the paper, and what docs/reproduction.md tells of it: within an hour on two cores.
reproduction: .venv/ready
	$(BIN)/netlines reproduce --full --out build/reproduction
	mkdir -p docs/reproduction
	cp build/reproduction/reproduction.md docs/reproduction.md
	cp build/reproduction/figures/*.png docs/reproduction/

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: .venv/ready
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/python benchmarks/kernel.py
	$(BIN)/python benchmarks/fit.py
	$(BIN)/python benchmarks/predict.py
	$(BIN)/python benchmarks/unit_errors.py
	$(BIN)/python benchmarks/unit.py
	$(PYTHON) benchmarks/first_use.py

generalise: .venv/ready
	$(BIN)/python benchmarks/generalise.py
	$(BIN)/python benchmarks/generalise.py classes more-classes
	$(BIN)/python benchmarks/multiclass.py
	$(BIN)/python benchmarks/choice_speed.py
	$(BIN)/python benchmarks/probabilities.py
	$(BIN)/python benchmarks/distill.py
	$(BIN)/python benchmarks/bagging.py
	$(BIN)/python benchmarks/prune.py

# The figures of docs/explaining.md, missing.md and report.md: a quarter of an hour.
understand: .venv/ready
	$(BIN)/python benchmarks/confidence.py docs/pictures/confidence.png
	$(BIN)/python benchmarks/explain.py
	$(BIN)/python benchmarks/missing.py
	$(BIN)/python benchmarks/report.py

clean:
	rm -rf .venv build dist demo reproduction
