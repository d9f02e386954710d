"""`Scorecard` and `as_points`: a fitted classifier as points that a person can add up."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, wrapped
from netlines.inspection.inputs import as_rows, network_of
from netlines.inspection.scorecard.reading import find_total
from netlines.inspection.scorecard.rounding import rounded_total
from netlines.inspection.scorecard.totals import Total
from netlines.inspection.scorecard.wording import WIDTH, card_html, card_lines, chances, formula_of
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.protocol import AnyNetwork
from netlines.network.schemes import first_positive

ROUNDED = "Rounded: the model itself has more digits, and may answer rows near the cut otherwise."


@dataclass(frozen=True, eq=False, repr=False)
class Scorecard:
    """A classifier as points for plain conditions: add them up, and the total tells the class.

    Of more than two classes there is one total after the other: each tells one class from those that remain.

    Attributes
    ----------
    classes : array of shape (C,)
    exact : bool
        Whether the totals answer every row as the classifier does; else its weights were rounded.
    formula : str
        The totals with their cuts in one line.
    n_weights : int
        The integers on the card: points and cuts.
    probabilities : dict
        The probability of the second class at a few totals; of more classes such a dict for each class that
        a total tells from those that remain. Empty where the classifier has no probabilities.

    See Also
    --------
    as_points : makes one of a fitted classifier.

    Examples
    --------
    >>> from netlines import NetLinesClassifierCV
    >>> from netlines.datasets import load_monks
    >>> X, y = load_monks(2, return_X_y=True, as_frame=True)
    >>> card = NetLinesClassifierCV(prefer="readable").fit(X, y).as_points()
    >>> card.n_weights, bool((card.predict(X) == y).all())
    (8, True)
    """

    network: AnyNetwork
    totals: tuple[Total, ...]

    @property
    def classes(self) -> NDArray:
        """The labels."""
        return self.network.classes

    @property
    def exact(self) -> bool:
        """Whether the totals answer as the classifier does."""
        return all(total.exact for total in self.totals)

    @property
    def n_weights(self) -> int:
        """Number of integers on the card."""
        return sum(len(total.entries) + len(total.cuts) for total in self.totals)

    @property
    def formula(self) -> str:
        """The totals in one line, each with the class that it tells."""
        if len(self.totals) == 1:
            return formula_of(self.totals[0])
        parts = [f"{formula_of(total)}: {second}" for total, (_, second) in self._sides()]
        return "; ".join([*parts, f"otherwise {self._sides()[-1][1][0]}"])

    @property
    def probabilities(self) -> dict[Any, Any]:
        """The probability of the second class, or of the next in the sequence, by the total."""
        if len(self.totals) == 1:
            return chances(self.totals[0])
        labels = [part.positive[0] for part in self._parts()]
        return {label: chances(total) for label, total in zip(labels, self.totals, strict=True)}

    def score(self, X: Any) -> NDArray:
        """Return the totals of rows, shape (n,), or (n, number of totals).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or the table that the classifier takes
        """
        rows = np.asarray(as_rows(self.network, X), dtype=float)
        totals = np.column_stack([total.of(rows) for total in self.totals])
        return totals[:, 0] if len(self.totals) == 1 else totals

    def predict(self, X: Any) -> NDArray:
        """Return the class of each row by its totals.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or the table that the classifier takes
        """
        scores = self.score(X).reshape(-1, len(self.totals))
        says = np.column_stack([total.second(own) for total, own in zip(self.totals, scores.T, strict=True)])
        if len(self.totals) == 1:
            return np.asarray(self.classes[says[:, 0].astype(int)])
        labels = [part.positive[0] for part in self._parts()] + [self._parts()[-1].negative[0]]
        numbers = {label: k for k, label in enumerate(self.classes.tolist())}
        order = np.array([numbers[label] for label in labels])
        return np.asarray(self.classes[order[first_positive(says)]])

    def to_frame(self) -> Any:
        """Return the card as a pandas DataFrame: attribute, condition, points; of more classes also class."""
        import pandas as pd

        rows = []
        for total, (_, second) in self._sides():
            for entry in total.entries:
                row = {"attribute": entry.attribute, "condition": entry.condition, "points": entry.points}
                rows.append(row if len(self.totals) == 1 else {"class": second, **row})
        return pd.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the card as plain values, ready for JSON."""
        totals = []
        for total, (first, second) in self._sides():
            points = [
                {"attribute": one.attribute, "condition": one.condition, "points": one.points}
                for one in total.entries
            ]
            steps = ["second" if yes else "first" for yes in total.answers]
            answers = [second if step == "second" else first for step in steps]
            table = [{"total": value, "probability": p} for value, p in chances(total).items()]
            totals.append({"points": points, "cuts": list(total.cuts), "answers": answers, "table": table})
        classes = self.classes.tolist()
        return {"classes": classes, "exact": self.exact, "formula": self.formula, "totals": totals}

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = []
        for k, (total, (first, second)) in enumerate(self._sides()):
            if len(self.totals) > 1:
                lines += ["", f"{k + 1}. {second}, or {first}"]
            lines += card_lines(total, first, second)
        if not self.exact:
            lines += ["", wrapped(ROUNDED, WIDTH)]
        return "\n".join(lines).strip("\n")

    def _repr_html_(self) -> str:
        parts = []
        for total, (first, second) in self._sides():
            head = f"<h4>{escape(second)}, or {escape(first)}</h4>" if len(self.totals) > 1 else ""
            parts.append(head + card_html(total, first, second))
        note = "" if self.exact else f"<p>{escape(ROUNDED)}</p>"
        return f"<div class='netlines-scorecard'>{''.join(parts)}{note}</div>"

    def _parts(self) -> tuple[Any, ...]:
        (tree,) = self.network.trees
        return tuple(self.network.parts[k] for k in tree)

    def _sides(self) -> list[tuple[Total, tuple[str, str]]]:
        """Return each total with what its two answers are called."""
        if len(self.totals) == 1 and self.network.scheme is None:
            first, second = map(str, self.classes.tolist())
            return [(self.totals[0], (first, second))]
        found = []
        for k, (total, part) in enumerate(zip(self.totals, self._parts(), strict=True)):
            last = k == len(self.totals) - 1
            rest = str(part.negative[0]) if last else "the next score decides"
            found.append((total, (rest, str(part.positive[0]))))
        return found


def as_points(model: Any) -> Scorecard:
    """Return a fitted classifier as a scorecard, if it is one or nearly one.

    Exact for `prefer="readable"` and for any network of that form: integers over conditions on single
    columns, or one hyperplane, or parallel ones, of integers. Another single hyperplane, such as a logistic
    regression, is rounded: its largest weight becomes 10 to 20 points.

    Parameters
    ----------
    model : fitted classifier of netlines, or Network or Networks

    Returns
    -------
    Scorecard

    Raises
    ------
    ValueError
        If the classifier has several hyperplanes that are no points score.

    Examples
    --------
    >>> from netlines import Network, as_points
    >>> network = Network([[-3, 2, 1]], [[0, 2**0.5]], ["no", "yes"], feature_names=("a", "b"))
    >>> as_points(network).formula
    '2·a + b ≥ 3'
    """
    network = network_of(model)
    if network.moved:
        raise ValueError(
            "the model expects other priors than those of its training rows, which a points score does not "
            "know; allowed is set_priors(None) before"
        )
    parts = _parts_of(network)
    totals = [] if parts is None else [_total(part, network) for part in parts]
    if parts is None or any(total is None for total in totals):
        what = f"this model has {count(network.n_hidden, 'hyperplane')}"
        raise ValueError(f"{what}; a points score has one sum: fit with prefer='readable'")
    return Scorecard(network, tuple(total for total in totals if total is not None))


def _parts_of(network: AnyNetwork) -> list[Network] | None:
    """Return the networks of two classes that decide one after the other; None if they decide otherwise."""
    if isinstance(network, Networks):
        if network.scheme != "tree":
            return None
        return [network.parts[k].network for k in network.trees[0]]
    return [part.network for part in network.parts] if network.n_classes == 2 else None


def _total(part: Network, whole: AnyNetwork) -> Total | None:
    found = find_total(part, whole)
    if found is None and part.passes_on and part.hidden_weights[:, 1:].any():
        return rounded_total(part, whole)
    return found
