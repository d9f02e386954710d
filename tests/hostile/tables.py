"""Hostile tables for every public function: answers, guarantees, determinism, readers, refusals.

A case is made of a seed of its own: `python tests/hostile/tables.py SEED` shows it again, and without a seed
the part runs alone, for HOSTILE seconds.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hostile import mixed, promises, readers, refusals
from hostile.campaign import Tally, time_left
from hostile.generator import OVER_OTHERS, a_recipe, a_table
from hostile.promises import Broken, Case

ALWAYS = (promises.answers_agree, promises.errors_are_counted, promises.no_avoidable_errors)
# What is asked beside, how often: those that fit once more are dear.
SOMETIMES: list[tuple[float, Callable]] = [
    (3, promises.a_row_has_one_answer),
    (1, promises.order_does_not_matter),
    (0.2, promises.threads_do_not_matter),
    (1, promises.memory_does_not_matter),
    (1.5, promises.powers_of_two_do_not_matter),
    (1, promises.saved_is_the_same),
    (1, mixed.any_table_is_taken),
    (0.3, promises.pruned_answers_the_same),
    (3, readers.certain_is_certain),
    (2, readers.explanations_hold),
    (1, readers.rules_answer_the_same),
    (1, readers.confidence_is_a_share),
    (1, readers.missing_values_are_integrated),
    (0.5, readers.a_study_counts_errors),
    (0.5, readers.priors_move_answers),
    (0.03, readers.a_report_is_written),
    (1, refusals.a_bad_fit_changes_nothing),
    (1, refusals.bad_rows_are_refused),
]
SHARES = np.array([share for share, _ in SOMETIMES]) / sum(share for share, _ in SOMETIMES)
OF_NETWORKS = {reader for _, reader in SOMETIMES if reader.__module__ == readers.__name__}
MOST_ROWS = 60
IMPOSSIBLE = (  # what a fit may say of a table
    "criterion='mdl' found no network of integers",
    "X has no column that is left to learn from",
)


def attack(tally: Tally, rng: np.random.Generator, left: Callable[[], float]) -> None:
    """Make tables and ask what is promised of them."""
    warnings.simplefilter("ignore")
    for seed in (0, 1, 2):  # what is compiled on the way counts for no case
        with suppress(Exception):
            possible(a_case(np.random.default_rng(seed)))
    while left() > 0:
        one_case(tally, int(rng.integers(2**63)))


def one_case(tally: Tally, seed: int) -> None:
    """Make a table out of a seed, fit a classifier, and ask what is promised always and two promises more."""
    rng = np.random.default_rng(seed)
    case = a_case(rng)
    some = [SOMETIMES[k][1] for k in rng.choice(len(SOMETIMES), 2, replace=False, p=SHARES)]
    tally.count("tables")
    asked = "fit"

    def reproduction() -> str:
        return program(case, seed, asked)

    with tally.guarded(reproduction):
        try:
            if not possible(case):
                return
            for promise in ALWAYS:
                asked = promise.__name__
                promise(case)
            for promise in some:
                if promise not in OF_NETWORKS or case.network is not None:
                    asked = promise.__name__
                    tally.count("reader checks" if promise in OF_NETWORKS else "promises")
                    promise(case, np.random.default_rng([seed, 1]))
        except Broken as broken:
            about = f"columns: {', '.join(case.table.columns)}; as {case.table.form}; {case.recipe}"
            tally.fail("wrong answer", f"{asked}: {broken}\n{about}", reproduction())


def possible(case: Case) -> bool:
    """Fit the classifier of a case; tell whether it can be, as it is allowed to say that it cannot."""
    try:
        return case.clf is not None
    except ValueError as error:
        if any(words in str(error) for words in IMPOSSIBLE):
            return False
        raise


def a_case(rng: np.random.Generator) -> Case:
    """Draw a table and what to fit to it, small enough for a part of a second."""
    n_classes = 2 if rng.random() < 0.8 else int(rng.integers(3, 5))
    over_others = rng.random() < 0.04
    most = int(rng.choice([8, 20, MOST_ROWS], p=[0.4, 0.45, 0.15])) if n_classes == 2 else 16
    table = a_table(rng, n_classes=n_classes, most=most, tame=over_others)
    return Case(table, str(rng.choice(OVER_OTHERS)) if over_others else a_recipe(rng, table.y))


def program(case: Case, seed: int, asked: str) -> str:
    """Return a program that fits what a case fitted, and the command that shows the case again."""
    table, names = case.table, sorted(name for name in promises.KNOWN if f"{name}(" in case.recipe)
    lines = [
        f"# python tests/hostile/tables.py {seed}",
        f"# {asked}",
        "import numpy as np",
        *(
            f"from {'sklearn.linear_model' if name.startswith('Log') else 'netlines'} import {name}"
            for name in names
        ),
        f"X = np.array({table.X.tolist()!r}, dtype=np.{table.X.dtype})  # handed over as {table.form}",
        f"y = np.array({table.y.tolist()!r})",
        f"w = {None if table.weights is None else table.weights.tolist()!r}",
        *([f"names = {list(table.names)!r}  # of the columns of a data frame"] if table.names else []),
        "jobs = None",
        f"clf = {case.recipe}",
    ]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Show cases again, given their seeds, or run the part for a while and print its figures."""
    folder, seed = Path(tempfile.mkdtemp()), int(os.environ.get("HOSTILE_SEED", "0"))
    tally, begin = Tally("tables", folder, seed), process_time()
    if arguments:
        for text in arguments:
            print(program(a_case(np.random.default_rng(int(text))), int(text), "all"))
            one_case(tally, int(text))
    else:
        attack(tally, np.random.default_rng([seed, 1]), time_left(float(os.environ.get("HOSTILE", "60"))))
    print(tally.to_json(), f"{process_time() - begin:.1f} s of CPU", folder)


if __name__ == "__main__":
    main(sys.argv[1:])
