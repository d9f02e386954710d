"""Rules that say what a network answers: IF some hidden units are on and others off THEN a class, ELSE ....

`extract_rules` reads the codes of rows and the answers to them, and finds a short list of cubes with the same
answers. `Rules` predicts by them, writes them over the names of the inputs and, if the inputs are binary,
expands them into conditions on single inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, listed, text_as_html, wrapped
from netlines.inspection.inputs import as_rows, network_of
from netlines.inspection.rules.attributes import Inputs, read_inputs
from netlines.inspection.rules.boolean import Cubes, inside, n_literals, shortest_cover
from netlines.inspection.rules.wording import write_rules
from netlines.network.network import FloatArray, sign
from netlines.network.protocol import AnyNetwork

MOST_UNITS = 12  # up to which all codes are listed if no rows are given
MOST_ROWS = 4096  # combinations of binary inputs, up to which rules are expanded


@dataclass(frozen=True, eq=False, repr=False)
class Rules:
    """A decision list over the states of hidden units, with the answers of the network it was read from.

    Attributes
    ----------
    network : Network or Networks or None
        Whose hidden units the cubes are about; None if they are about single inputs, see `expanded`.
    units : array of shape (H, N + 1)
        The hyperplanes of all units, bias first.
    inputs : Inputs
        What is known of the inputs: names, spreads, attributes, which are binary.
    classes : array of shape (C,)
    order : tuple of int
        The numbers of the classes in the order of the list; the last is that of ELSE.
    covers : tuple of arrays of -1, 0 and +1, shape (number of cubes, H)
        The cubes of each class but the last: a row is in the class if its code agrees with one of them where
        that is not 0, and with none of an earlier class.
    n_codes, n_rows : int
        How many different codes, and rows, the rules were read from.
    n_disagreements : int
        The rows among them with another answer than most rows of their code: the rules miss these.
    minimal : bool
        Whether, in this order of the classes, there are provably no fewer cubes, or literals in as many.
    """

    network: AnyNetwork | None
    units: FloatArray
    inputs: Inputs
    classes: NDArray
    order: tuple[int, ...]
    covers: tuple[Cubes, ...]
    n_codes: int
    n_rows: int
    n_disagreements: int
    minimal: bool

    def __post_init__(self) -> None:
        for cubes in self.covers:
            cubes.setflags(write=False)

    @property
    def exact(self) -> bool:
        """Whether the rules give the network's answers to all rows that they were read from."""
        return self.n_disagreements == 0

    @property
    def cubes(self) -> dict[Any, Cubes]:
        """The cubes of each class but the last, in the order of the list."""
        labels = self.classes.tolist()
        return {labels[c]: cubes for c, cubes in zip(self.order, self.covers, strict=False)}

    @property
    def default(self) -> Any:
        """The class where no cube fits."""
        return self.classes.tolist()[self.order[-1]]

    @property
    def n_cubes(self) -> int:
        """Number of cubes: of conjunctions."""
        return sum(map(len, self.covers))

    @property
    def n_literals(self) -> int:
        """Number of conditions in all cubes."""
        return sum(map(n_literals, self.covers))

    @property
    def used_units(self) -> list[int]:
        """The numbers, from 0, of the units that a cube mentions."""
        return [h for h in range(len(self.units)) if any(cubes[:, h].any() for cubes in self.covers)]

    @property
    def hidden_weights(self) -> FloatArray:
        """The hyperplanes of the used units, bias first."""
        return self.units[self.used_units]

    def predict(self, X: Any) -> NDArray:
        """Return the class of each row, of the user's table or of inputs, by the rules, shape (n,)."""
        rows = self.inputs.rows(X)
        if self.network is None:
            codes = sign(self.units[:, 0] + rows @ self.units[:, 1:].T)
        else:
            codes = self.network.internal_representation(rows)
        numbers = np.full(len(codes), self.order[-1])
        for c, cubes in reversed(list(zip(self.order, self.covers, strict=False))):
            numbers[inside(cubes, codes).any(axis=1)] = c
        return self.classes[numbers]

    def text(self, digits: int = 3, width: int = 100, terms: int | None = None) -> str:
        """Return the rules over the names of the inputs.

        Conditions that are few and short stand in the rules; others are named by letters first.

        Parameters
        ----------
        digits : int, default=3
            Significant digits of the weights. The text is for reading: `predict` takes all digits.
        width : int, default=100
            Longest line.
        terms : int or None
            Of a sum of more than so many terms those that matter most are written; None: all are.
        """
        lines = write_rules(self, digits, width, terms)
        if not self.exact:
            lines.append(f"(the network answers {self.n_disagreements} of {self.n_rows} rows otherwise)")
        return "\n".join(wrapped(line, width) for line in lines)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the text."""
        title = f"Rules over {count(len(self.used_units), 'hyperplane')}"
        return text_as_html(title if self.network is not None else "Rules", self.text(width=10_000))

    def __repr__(self) -> str:
        size = f"n_cubes={self.n_cubes}, n_literals={self.n_literals}, used_units={self.used_units}"
        return f"Rules({size}, n_rows={self.n_rows}, n_disagreements={self.n_disagreements})"

    def expanded(self) -> Rules:
        """Return rules about single binary inputs that answer every combination of these as these rules do.

        Where exactly one input of a category is on, as of `a1=1`, `a1=2` and `a1=3`, only such combinations
        count.

        Raises
        ------
        ValueError
            If a used unit reads an input that is not binary, or if the combinations are too many.
        """
        columns = np.flatnonzero(self.hidden_weights[:, 1:].any(axis=0))
        unfit = [self.inputs.names[i] for i in columns if not self.inputs.binary[i]]
        if unfit:
            raise ValueError(
                f"only rules over binary inputs can be expanded, and {listed(unfit)} are not known to be 0 "
                "and 1; rows of -1 and +1 given as X to extract_rules are allowed, too"
            )
        choices = self.inputs.choices(columns)
        size = self.inputs.n_combinations(choices)
        if size > MOST_ROWS:
            raise ValueError(
                f"the rules depend on {len(choices)} binary inputs or groups of them with {size} "
                f"combinations; at most {MOST_ROWS} can be expanded: prune the network first"
            )
        rows, members = self.inputs.combinations(choices)
        low, high = self.inputs.low[members], self.inputs.high[members]
        units = np.zeros((len(members), self.units.shape[1]))
        units[np.arange(len(members)), 1 + np.array(members, dtype=int)] = 1.0
        units[:, 0] = -(low + high) / 2
        answers = self.predict(rows)
        numbers = (answers[:, None] == self.classes).argmax(axis=1)
        prefer = np.ones((len(self.classes), len(members)))
        codes = sign(rows[:, members] - (low + high) / 2)
        order, covers, minimal = _decision_list(codes, numbers, prefer)
        return Rules(None, units, self.inputs, self.classes, order, covers, size, size, 0, minimal)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain values; the cubes are over `units`, the used ones, in their order."""
        used = self.used_units
        return {
            "classes": self.classes.tolist(),
            "feature_names": list(self.inputs.names),
            "units": used,
            "hidden_weights": self.hidden_weights.tolist(),
            "rules": [
                {"class": label, "cubes": cubes[:, used].tolist()} for label, cubes in self.cubes.items()
            ],
            "else": self.default,
            "n_cubes": self.n_cubes,
            "n_literals": self.n_literals,
            "n_codes": self.n_codes,
            "n_rows": self.n_rows,
            "n_disagreements": self.n_disagreements,
            "minimal": self.minimal,
        }


def extract_rules(model: Any, X: Any = None) -> Rules:
    """Find a short list of rules over the hidden units with the same answers as the network.

    With two classes, the one that takes fewer literals is described and the other is ELSE. With more, the
    class that takes the fewest literals comes first, then the next among those that are left.

    Parameters
    ----------
    model : fitted classifier of netlines, Network or Networks
    X : array-like of shape (n_samples, n_features), DataFrame or None
        Rows of the user's table or of inputs, for example those of the training. The rules give the network's
        answers to all rows with a code that one of these has; where rows of one code have several answers,
        the most frequent one. Codes of no row are free. Of a table, rows with unknown values do not count:
        they have no code. None: all codes count, for a Network of up to 12 units and with unchanged priors.

    Returns
    -------
    Rules

    Examples
    --------
    >>> from netlines import NetLinesClassifier, prune
    >>> from netlines.datasets import load_monks
    >>> from netlines.inspection.rules import extract_rules
    >>> X, y = load_monks(2, return_X_y=True, as_frame=True)
    >>> clf = prune(NetLinesClassifier().fit(X, y), X, y, weights="integer")
    >>> print(extract_rules(clf, X))
    IF exactly 2 of (a1=1, a2=1, a3=1, a4=1, a5=1, a6=1) THEN 1
    ELSE 0
    """
    network = network_of(model)
    rows = None if X is None else _complete_rows(network, X)
    if rows is None:
        codes, numbers = _all_codes(network)
    else:
        codes, numbers = network.internal_representation(rows), network.answers(rows)
    distinct, which = np.unique(codes, axis=0, return_inverse=True)
    counts = np.zeros((len(distinct), network.n_classes), dtype=int)
    np.add.at(counts, (which.reshape(-1), numbers), 1)
    order, covers, minimal = _decision_list(distinct, counts.argmax(axis=1), _polarity(network))
    return Rules(
        network=network,
        units=network.weights_about_zero,
        inputs=read_inputs(network, rows),
        classes=network.classes,
        order=order,
        covers=covers,
        n_codes=len(distinct),
        n_rows=len(codes),
        n_disagreements=int(len(codes) - counts.max(axis=1).sum()),
        minimal=minimal,
    )


def _complete_rows(network: AnyNetwork, X: Any) -> NDArray:
    """Return rows as numbers, of a table those of which nothing is unknown: the others have no code."""
    rows = np.asarray(as_rows(network, X, missing=network.layout is not None, least=1))
    known = rows[~np.isnan(rows).any(axis=1)]
    return known if len(known) else np.asarray(as_rows(network, X, least=1))  # which says what is unknown


def _decision_list(
    codes: NDArray, numbers: NDArray, prefer: NDArray
) -> tuple[tuple[int, ...], tuple[Cubes, ...], bool]:
    """Return the classes in order, the cubes of all but the last, and whether each set of them is minimal.

    The cubes of a class exclude the codes of later classes; those of earlier ones are taken already.
    """
    left = sorted(set(numbers.tolist()))
    order, covers, minimal = [], [], True
    tie = -1 if len(left) == 2 else 1  # of two classes the second is usually the one in question
    while len(left) > 1:
        found = {}
        for c in left:
            later = np.isin(numbers, left) & (numbers != c)
            found[c] = shortest_cover(codes[numbers == c], codes[later], prefer[c])
        best = min(left, key=lambda c: (n_literals(found[c].cubes), len(found[c].cubes), tie * c))
        order.append(best)
        covers.append(found[best].cubes)
        minimal = minimal and found[best].minimal
        left.remove(best)
    return (*order, left[0]), tuple(covers), minimal


def _polarity(network: AnyNetwork) -> NDArray:
    """Return the signs, shape (C, H), with which the units speak for the classes; +1 of several networks."""
    if network.scheme:
        return np.ones((network.n_classes, network.n_hidden))
    return sign(network.parts[0].network.class_outputs[:, 1:])


def _all_codes(network: AnyNetwork) -> tuple[NDArray, NDArray]:
    """Return all codes that units can have, and the numbers of the classes that they mean."""
    if network.scheme or network.moved:
        why = "several networks decide together" if network.scheme else "the priors were changed"
        raise ValueError(f"X must be given, got None: {why}, so that the code alone may not tell the answer")
    if network.n_hidden > MOST_UNITS:
        raise ValueError(
            f"X must be given for a network of {network.n_hidden} hidden units, got None, which is allowed "
            f"for up to {MOST_UNITS} units, whose codes can all be listed"
        )
    states = [(-1.0, 1.0) if unit[1:].any() else sign(unit[:1]) for unit in network.hidden_weights]
    codes = np.array(list(product(*states)))
    return codes, network.answers_of_codes(codes)
