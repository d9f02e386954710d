"""The paper's experiments, one file each, with today's classifiers beside them: `netlines reproduce`.

Each experiment says which runs it consists of, how one is measured, which claims of the paper it decides and
what it draws; `experiments.py` lists them, and this room imports none of itself, so that a worker's start is
short. `published.csv` lists the claims; `runs/` does the work, `report/` shows what came of it.
"""
