"""What to think of a model, in plain sentences: what it is, how often it errs, and what follows from that.

1. The answers to rows that it had not seen are compared with the truth, and with always giving the most
   frequent answer, with a logistic regression and with other models on the same rows.
2. Differences are paired: row by row, with their standard error. Beyond `CLEAR` of these they are clear.
3. What is said first is what it is and how often it errs; then how often others err; then what follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, joined, percent
from netlines.network.attributes import attributes_of
from netlines.network.protocol import AnyNetwork
from netlines.network.shares import Share, wilson

LOGISTIC = "logistic regression"
CLEAR = 1.96  # standard errors
ALIKE = 1.0  # standard errors by which a model has to lead a logistic regression to be worth more than it
FEW_ROWS = 50
FEW_OF_CLASS = 5
RARE = 0.1  # share of a class
FOUND = 0.6  # share of a rare class that is enough
ADVICE = {"accurate": "take it if errors matter most", "readable": "try prefer='balanced'"}
UNSPLIT = "there are too few rows of a class to hold some of them out"
CHOSEN_BY = "measured in the folds that chose it"
CHOSEN_ANEW = "measured in {folds} folds, all chosen anew in each"


@dataclass(frozen=True)
class Rival:
    """Another model on the same rows.

    Attributes
    ----------
    name : what it is called, without an article
    error : its share of wrong answers
    lag, se : by how much the model errs more often than it, and the standard error of that
    """

    name: str
    error: Share
    lag: float
    se: float

    @property
    def clearly_better(self) -> bool:
        """Whether it errs less often than the model, beyond chance."""
        return self.lag > CLEAR * self.se

    @property
    def told(self) -> str:
        """Its name with an article."""
        return f"{'an' if self.name[:1].lower() in 'aeiou' else 'a'} {self.name}"


@dataclass(frozen=True, repr=False)
class Verdict:
    """How often a model errs, beside others, and what follows.

    Attributes
    ----------
    what : str
        What the model is: "one weighted sum of 9 attributes, a logistic regression".
    logistic : bool
        Whether it is a logistic regression.
    rows : int
        How many it was fitted to.
    error : Share or None
        Its wrong answers to rows that it had not seen; None if that was not measured.
    how : str
        How that was measured, or why it was not.
    guess : object
        The most frequent class.
    guess_error : Share or None
        The wrong answers of always answering so.
    rivals : tuple of Rival
        Others on the same rows, the logistic regression among them. The first is `guess`.
    found : tuple of (label, int, int)
        How many rows of each class were answered rightly, and how many there were.
    remarks : tuple of str
        Suspicions about the table, a sentence each.
    prefer : str
        What the user asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.verdict import Measured, Verdict
    >>> truth = np.repeat(["ill", "well"], 100)
    >>> forest = np.where(np.arange(200) % 20 == 0, "ill", truth)
    >>> own = np.where(np.arange(200) % 4 == 0, "ill", truth)
    >>> measured = Measured.of(truth, own, {"random forest": forest}, how="in 5 folds")
    >>> print(Verdict("2 hyperplanes over 3 attributes", False, 200, **measured.figures))
    2 hyperplanes over 3 attributes: errs on 12.5 % of new rows (95 % interval 8.6 to 17.8 %, in 5 folds).
    Always answering 'ill' errs on 50.0 %, a random forest on 2.5 %.
    A random forest does clearly better (2.5 against 12.5 %): try prefer='accurate'.
    """

    what: str
    logistic: bool
    rows: int
    error: Share | None = None
    how: str = ""
    guess: Any = None
    guess_error: Share | None = None
    rivals: tuple[Rival, ...] = ()
    found: tuple[tuple[Any, int, int], ...] = ()
    remarks: tuple[str, ...] = ()
    prefer: str = "balanced"

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def measured(self, measured: Measured) -> Verdict:
        """Return the same about other measurements."""
        return replace(self, **measured.figures)

    @property
    def sentences(self) -> list[str]:
        """What there is to say, the most important first."""
        if self.error is None:
            why = f" ({self.how})" if self.how else ""
            unknown = f"how often it errs on new rows was not measured{why}"
            return [f"{_upper(self.what)}: {unknown}.", *self._about_rows(), *self.remarks]
        return [self.headline, *self._beside(), *self._what_follows(), *self._about_rows(), *self.remarks]

    @property
    def headline(self) -> str:
        """What the model is and how often it errs."""
        if self.error is None:
            return self.sentences[0]
        low, high = 100 * self.error.low, 100 * self.error.high
        errs = f"errs on {percent(self.error.value)} of new rows"
        return f"{_upper(self.what)}: {errs} (95 % interval {low:.1f} to {high:.1f} %, {self.how})."

    @property
    def _others(self) -> list[Rival]:
        """The rivals but for guessing, and for itself."""
        return [one for one in self.rivals[1:] if not (self.logistic and one.name == LOGISTIC)]

    def _beside(self) -> list[str]:
        """Say how often others err on the same rows: guessing, a logistic regression, the best other."""
        assert self.guess_error is not None
        told = [f"Always answering {self.guess!r} errs on {percent(self.guess_error.value)}"]
        logistic = [one for one in self._others if one.name == LOGISTIC]
        rest = sorted((one for one in self._others if one.name != LOGISTIC), key=lambda one: one.error.value)
        told += [f"{one.told} on {percent(one.error.value)}" for one in (*logistic, *rest[:1])]
        return [f"{', '.join(told)}."]

    def _what_follows(self) -> list[str]:
        """Say whether the model is worth having, and what else to try."""
        assert self.error is not None
        said, guess = [], self.rivals[0]
        rare = self._rare()
        if guess.lag > CLEAR * guess.se:
            said.append(f"That is worse than guessing: always answering {self.guess!r} errs less often.")
        elif -guess.lag <= CLEAR * guess.se:
            said.append(f"{'In errors, that' if rare else 'That'} is no better than guessing.")
        better = min(self._others, key=lambda one: one.error.value, default=None)
        if better is not None and better.clearly_better:
            said += [*self._clearly_better_than_logistic(), self._outdone_by(better)]
        elif not said:
            said += self._beside_logistic()
        if self.error.value == 0:
            said.append(f"Not one of {count(self.error.of, 'row')} was answered wrongly.")
        return [*said, *rare]

    def _outdone_by(self, better: Rival) -> str:
        """Say that another model does clearly better, and what to do."""
        assert self.error is not None
        against = f"({100 * better.error.value:.1f} against {100 * self.error.value:.1f} %)"
        advice = ADVICE.get(self.prefer, "try prefer='accurate'")
        return f"{_upper(better.told)} does clearly better {against}: {advice}."

    @property
    def _linear(self) -> Rival | None:
        """The logistic regression beside it."""
        return next((one for one in self._others if one.name == LOGISTIC), None)

    def _clearly_better_than_logistic(self) -> list[str]:
        linear = self._linear
        clearly = linear is not None and -linear.lag > CLEAR * linear.se
        return ["That is clearly better than a logistic regression."] if clearly else []

    def _beside_logistic(self) -> list[str]:
        """Say whether anything is gained by more than a logistic regression."""
        linear = self._linear
        if self.logistic:
            return ["Nothing that was tried does clearly better: a logistic regression is enough."]
        if linear is None:
            return []
        if -linear.lag <= ALIKE * linear.se and self.prefer == "readable":
            return ["A logistic regression does not clearly better: little is lost by so few numbers."]
        if -linear.lag <= ALIKE * linear.se:
            return ["A logistic regression does as well: nothing is gained by more."]
        return self._clearly_better_than_logistic() or ["That is somewhat better than a logistic regression."]

    def _rare(self) -> list[str]:
        """Say how many of rare classes are found, and which of more than two never are."""
        total = sum(of for _, _, of in self.found)
        small = RARE * min(1.0, 2 / max(len(self.found), 1))
        said = []
        for label, hits, of in self.found:
            if FEW_OF_CLASS <= of < small * total:
                advice = "; choose class_weight='balanced', or a threshold on its probability"
                enough = hits >= FOUND * of
                said.append(f"Rare class: {hits} of {of} {label!r} found{'' if enough else advice}.")
            elif hits == 0 and of >= FEW_OF_CLASS and len(self.found) > 2:
                said.append(f"Class {label!r} is never found ({count(of, 'row')}).")
        return said

    def _about_rows(self) -> list[str]:
        """Say that there are too few rows, or too few of a class."""
        few = [(label, of) for label, _, of in self.found if of < FEW_OF_CLASS]
        said = []
        if self.rows < FEW_ROWS:
            trust = "its errors on new rows are a guess" if self.error is None else "take figures as rough"
            said.append(f"There are only {count(self.rows, 'row')}: {trust}.")
        if few and len(self.found) > 1:
            told = joined([f"{label!r} ({count(of, 'row')})" for label, of in few[:5]])
            classes = "Class" if len(few) == 1 else "Classes"
            verb = "has" if len(few) == 1 else "have"
            said.append(f"{classes} {told} {verb} too few rows to learn from or to judge by.")
        return said


@dataclass(frozen=True)
class Measured:
    """Answers to rows that a model had not seen, beside those of others: the figures of a `Verdict`."""

    figures: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        truth: NDArray,
        own: NDArray,
        others: Mapping[str, NDArray],
        *,
        how: str,
        share: NDArray | None = None,
        rows: float | None = None,
    ) -> Measured:
        """Compare answers with the truth.

        Parameters
        ----------
        truth, own : arrays of shape (n,)
            Labels, and the model's answers.
        others : mapping from name to answers
        how : how that was measured, in words
        share : array of shape (n,), with the sum 1, or None
            What each of them counts; None: the same.
        rows : float or None
            How many equal rows tell as much; None: n.
        """
        share = np.full(len(truth), 1.0 / len(truth)) if share is None else share
        rows = float(len(truth)) if rows is None else rows
        labels, which = np.unique(truth, return_inverse=True)
        weight = np.bincount(which, share, len(labels))
        guess = labels[int(weight.argmax())]
        wrong = (own != truth).astype(float)

        def share_of(errors: NDArray) -> Share:
            # Without what adding up leaves: 125 of 400 are to look the same wherever they are written.
            value = min(max(round(float(share @ errors), 12), 0.0), 1.0)
            hits = value * rows
            return Share(round(hits), round(rows), value, *wilson(hits, rows))

        def rival(name: str, answers: NDArray) -> Rival:
            errors = (answers != truth).astype(float)
            apart = wrong - errors
            lag = float(share @ apart)
            return Rival(name, share_of(errors), lag, float(np.sqrt(share @ (apart - lag) ** 2 / rows)))

        right = np.bincount(which, share * (1.0 - wrong), len(labels))
        found = zip(labels.tolist(), right * rows, weight * rows, strict=True)
        guessing = rival("guess", np.full(len(truth), guess))
        rivals = guessing, *(rival(name, answers) for name, answers in others.items())
        figures = {
            "error": share_of(wrong),
            "how": how,
            "guess": guess.item() if hasattr(guess, "item") else guess,
            "guess_error": guessing.error,
            "rivals": tuple(rivals),
            "found": tuple((label, round(hits), round(of)) for label, hits, of in found),
        }
        return cls(figures)


def what_it_is(network: AnyNetwork, *, logistic: bool = False) -> str:
    """Say what a model is, by its size and the attributes that it uses.

    Examples
    --------
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.network.verdict import what_it_is
    >>> what_it_is(Network([[1, 2, 0]], PASS_ON, ["no", "yes"]))
    'one weighted sum of 1 attribute'
    """
    used = np.abs(network.hidden_weights[:, 1:]).max(axis=0, initial=0.0) > 0
    attributes = [one for one in attributes_of(network) if used[list(one.inputs)].any()]
    over, classes = count(len(attributes), "attribute"), len(network.classes)
    if not attributes:
        (answer,) = network.answers(np.zeros((1, network.n_features)))
        return f"the answer {str(network.classes[answer])!r} for every row"
    if network.n_hidden == 1:
        return f"one weighted sum of {over}" + (f", a {LOGISTIC}" if logistic else "")
    single = all(part.network.n_hidden == 1 for part in network.parts)
    if not network.scheme:
        shared = f", shared by {classes} classes" if classes > 2 else ""
        return f"{network.n_hidden} hyperplanes over {over}{shared}"
    if logistic:
        return f"a {LOGISTIC} of {over} for {classes} classes"
    what = "weighted sums" if single else f"networks of {network.n_hidden} hyperplanes"
    told = {
        "pairs": "one for each pair of classes",
        "tree": "one class after the other",
        "vote": f"which vote, in {len(network.trees)} orders of the classes",
        "wta": "one a class",
    }
    return f"{len(network.parts)} {what} of {over}, {told[network.scheme]}"


def verdict_facts(verdict: Verdict | None) -> dict[str, Any]:
    """Return what a model file keeps of a verdict.

    These are its sentences, the error with its interval, and the errors of it and of the others beside it.
    """
    if verdict is None:
        return {}
    error = verdict.error
    figures: dict[str, Any] = {}
    if error is not None:
        figures = {"error": error.value, "low": error.low, "high": error.high}
        figures["errors"] = [error.value, *(one.error.value for one in verdict.rivals[1:])]
    about = {"what": verdict.what, "logistic": verdict.logistic, "remarks": list(verdict.remarks)}
    return {"sentences": list(verdict.sentences), "how": verdict.how, **figures, **about}


def verdict_of_facts(facts: Mapping[str, Any], network: AnyNetwork, rows: int, prefer: str) -> Verdict:
    """Return the verdict about a model from a file, without figures: `measured` gives it new ones."""
    logistic = bool(facts.get("logistic", False))
    what = facts.get("what") or what_it_is(network, logistic=logistic)
    return Verdict(what, logistic, rows, remarks=tuple(facts.get("remarks", ())), prefer=prefer)


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
