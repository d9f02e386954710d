# `make demo` and `make test` set up everything they need in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test paper reproduction lint types bench generalise understand clean

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

demo: .venv/ready
	$(BIN)/python examples/demo.py

test: .venv/ready
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "not paper" -n auto --dist worksteal

paper: .venv/ready
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m paper -n auto --dist worksteal

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
	$(BIN)/python benchmarks/unit_errors.py

generalise: .venv/ready
	$(BIN)/python benchmarks/generalise.py
	$(BIN)/python benchmarks/generalise.py classes more-classes
	$(BIN)/python benchmarks/multiclass.py
	$(BIN)/python benchmarks/fit_cv.py
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
