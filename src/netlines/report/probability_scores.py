"""What probabilities are worth whose truth is known: AUC, log-loss, Brier score, calibration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from netlines.network.shares import Share, Z, counted

BINS = 10  # of equal numbers of rows, of the expected calibration error
SAID = tuple(k / 100 for k in (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100))  # edges of the table
TOLERANCE = 1e-4  # of sums of probabilities, which may be of single precision


@dataclass(frozen=True)
class Said:
    """Rows whose answer has a probability from `low` to `high`: its mean, and how many answers are right."""

    low: float
    high: float
    mean: float
    right: Share


@dataclass(frozen=True)
class OfProbabilities:
    """What probabilities are worth, on the rows of the classes that the model knows.

    Attributes
    ----------
    rows : int
    auc : float or None
        Of two classes; of more the mean over the classes, each against the others. None if one has no rows.
    log_loss, brier : float
        Of two classes the Brier score is about the second class, of more it is a sum over the classes.
    guess_log_loss, guess_brier : float
        What the shares of the classes would have, said to every row.
    calibration_error : float
        The expected one, of the probability of the answer, in bins of equal numbers of rows.
    said : tuple of Said
    """

    rows: int
    auc: float | None
    log_loss: float
    brier: float
    guess_log_loss: float
    guess_brier: float
    calibration_error: float
    said: tuple[Said, ...]


def of_probabilities(
    given: ArrayLike, rows: NDArray[np.bool_], of_class: NDArray, answers: NDArray, n_classes: int
) -> OfProbabilities | None:
    """Return what probabilities are worth on the rows of known classes; None if there are no such rows."""
    p = np.asarray(given, dtype=float)
    if p.shape != (len(rows), n_classes):
        raise ValueError(f"probabilities must be of shape {(len(rows), n_classes)}, got {p.shape}")
    p = p[rows]
    if not (p >= 0).all() or (np.abs(p.sum(axis=1) - 1) > TOLERANCE).any():
        raise ValueError("probabilities must be from 0 to 1 with a sum of 1 in each row")
    if not len(p):
        return None
    truth, answers = of_class[rows], answers[rows]
    hit = truth[:, None] == np.arange(n_classes)
    shares = hit.mean(axis=0)
    seen = shares[shares > 0]
    by_class = [roc_auc_score(hit[:, k], p[:, k]) for k in range(n_classes)] if (shares > 0).all() else []
    p = p / p.sum(axis=1, keepdims=True)  # only now, as rounding would tell equal ones apart
    two = n_classes == 2
    sure, right = p[np.arange(len(p)), answers], truth == answers
    return OfProbabilities(
        rows=len(p),
        auc=float(by_class[1] if two else np.mean(by_class)) if by_class and n_classes > 1 else None,
        log_loss=float(log_loss(truth, p, labels=range(n_classes))) if n_classes > 1 else 0.0,
        # The same as scikit-learn's, which wants every class in the table.
        brier=float(brier_score_loss(hit[:, 1], p[:, 1]) if two else ((p - hit) ** 2).sum(axis=1).mean()),
        guess_log_loss=float(-(seen * np.log(seen)).sum()),
        guess_brier=float(shares[1] * shares[0] if two else 1 - (shares**2).sum()),
        calibration_error=_calibration_error(sure, right),
        said=_said(sure, right),
    )


def auc_interval(positive: NDArray[np.bool_], p: NDArray) -> tuple[float, float, float]:
    """Return the AUC and its 95 % interval, by the standard error of DeLong and others (1988).

    The interval is taken on the scale of log-odds, so that it stays between 0 and 1; of an AUC of 1 it is no
    more than that.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.report.probability_scores import auc_interval
    >>> [round(x, 3) for x in auc_interval(np.arange(40) % 2 == 0, np.arange(40) % 7 / 7)]
    [0.506, 0.331, 0.68]
    """
    inside, outside = p[positive], p[~positive]
    m, n = len(inside), len(outside)
    ranks = rankdata(np.concatenate([inside, outside]))
    # Of each row the share of the other class that it is on the right side of.
    own = (ranks[:m] - rankdata(inside)) / n
    other = 1 - (ranks[m:] - rankdata(outside)) / m
    auc = float(own.mean())
    if m < 2 or n < 2 or not 0 < auc < 1:
        return auc, auc, auc
    se = float(np.sqrt(own.var(ddof=1) / m + other.var(ddof=1) / n))
    middle, half = np.log(auc / (1 - auc)), Z * se / (auc * (1 - auc))
    low, high = (float(1 / (1 + np.exp(-z))) for z in (middle - half, middle + half))
    return auc, low, high


def _calibration_error(sure: NDArray, right: NDArray) -> float:
    """Return by how much probabilities and shares of right answers differ in bins, weighted by their rows.

    The bins have equal numbers of rows as far as equal probabilities stay together.
    """
    bins = ((rankdata(sure, method="min") - 1) * BINS // len(sure)).astype(int)
    return float(np.abs(np.bincount(bins, sure - right)).sum() / len(sure))


def _said(sure: NDArray, right: NDArray) -> tuple[Said, ...]:
    """Return the rows by the probability of their answer; an edge belongs to the bin above it."""
    bins = np.minimum(np.searchsorted(SAID, sure, side="right") - 1, len(SAID) - 2)
    return tuple(
        Said(
            SAID[k],
            SAID[k + 1],
            float(sure[bins == k].mean()),
            counted(right[bins == k].sum(), (bins == k).sum()),
        )
        for k in np.unique(bins)
    )
