"""When the paper's claims about trees of networks and their votes hold."""

from __future__ import annotations

import numpy as np
import pandas as pd

from netlines._words import percent
from netlines.reproduce.report.claims import not_lower
from netlines.reproduce.runs.methods import CV
from netlines.reproduce.runs.schemes import OWN, TREE, VOTE, WTA
from netlines.reproduce.runs.statistics import points
from netlines.reproduce.runs.verdicts import Verdict


def trees_of(rows: pd.DataFrame, way: str) -> pd.DataFrame:
    """Return the rows of a way's single trees."""
    return rows[(rows["method"] == way) & rows["scheme"].str.startswith(TREE)]


def vote_of(rows: pd.DataFrame, way: str, scheme: str = VOTE) -> pd.DataFrame:
    """Return the rows of a way's vote, or of another scheme."""
    return rows[(rows["method"] == way) & (rows["scheme"] == scheme)]


def vote_beats_each_tree(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether the vote errs less in the mean than every one of its trees."""
    trees = trees_of(rows, way)
    means = trees.groupby("scheme")["test_error"].mean()
    vote = vote_of(rows, way)["test_error"].mean()
    text = f"vote {percent(vote)}, trees {', '.join(percent(mean) for mean in sorted(means))}"
    if means.min() == 0:
        return Verdict(f"{text}: no errors to improve on", None)
    return Verdict(text, bool(vote < means.min()))


def vote_keeps_the_mean(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether the vote does not err clearly less than its trees do in the mean."""
    trees = trees_of(rows, way)
    gaps = vote_of(rows, way).set_index("seed")["test_error"] - trees.groupby("seed")["test_error"].mean()
    error = gaps.std(ddof=1) / len(gaps) ** 0.5
    return not_lower(gaps.mean(), error, f"vote minus trees {points(gaps.mean(), error)}")


def vote_lowers_the_variance(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether the errors of votes vary less over the training sets than those of single trees."""
    trees = trees_of(rows, way)
    if trees["seed"].nunique() < 3:
        return Verdict("too few runs to decide", None)
    single = trees.groupby("scheme")["test_error"].std(ddof=1).mean()
    vote = vote_of(rows, way)["test_error"].std(ddof=1)
    return Verdict(f"deviation of the vote {percent(vote)}, of a tree {percent(single)}", bool(vote < single))


def winner_is_worse(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether winner-takes-all errs more than the trees do in the mean."""
    winner, trees = vote_of(rows, way, WTA), trees_of(rows, way)
    one, other = winner["test_error"].mean(), trees["test_error"].mean()
    return Verdict(f"winner-takes-all {percent(one)}, trees {percent(other)}", bool(one > other))


def labelled_schemes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that a figure shows, each labelled by its method and, if it has one, its scheme."""
    shown = rows[rows["scheme"].isin([OWN, VOTE, WTA]) & rows["weights"].notna()]
    named = shown["method"] + ": " + shown["scheme"].replace(OWN, "own choice")
    plain = (shown["scheme"] == OWN) & (shown["method"] != CV)
    return shown.assign(label=named.where(~plain, shown["method"]))


def vote_or_choice(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of votes, and of NetLinesClassifierCV those with the scheme that it chose itself."""
    return rows[rows["scheme"] == np.where(rows["method"] == CV, OWN, VOTE)]
