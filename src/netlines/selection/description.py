"""Description length: how many bits it takes to send the labels by means of a network of integers.

A network that learns noise needs more bits for its weights than it saves on the exceptions, so the
shortest description chooses a size without splitting the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from netlines._words import count
from netlines.network.network import PASS_ON, Network
from netlines.network.probability import Calibration
from netlines.network.weights import normalised
from netlines.selection.data import Data
from netlines.selection.fit import Fitted
from netlines.selection.sizes import FEW
from netlines.selection.stages import SILENT, Stages, plan_descriptions
from netlines.selection.terms import Terms
from netlines.training.calibration import fit_stretch, fit_to_labels
from netlines.training.growth import Plan, grow
from netlines.training.minimerror import unit_path
from netlines.training.patterns import condense
from netlines.training.pruning.network import column_units, prune_network
from netlines.training.task import Layer, Task

INVERSE_TEMPERATURES = np.array([0.8, 2.0, 5.0, 13.0])  # of units beside the grown networks
PATIENCE = 2  # sizes without a shorter description after which growth ends


@dataclass(frozen=True, eq=False)
class Description:
    """A pruned network of integers, what it is called, its errors, and the bits of a description by it."""

    name: str
    network: Network
    errors: float
    bits: float


def integer_bits(value: float) -> float:
    """Return the bits of an integer other than 0: its sign, and Elias' γ code for its size."""
    return 2.0 + 2.0 * np.floor(np.log2(abs(value)))


def log2_choose(n: float, k: float) -> float:
    """Return the bits that name k of n things."""
    return float((gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / np.log(2))


def row_bits(weights: NDArray) -> float:
    """Return the bits of a unit's integers: how many are not 0, which, and their values."""
    used = weights[weights != 0]
    which = np.log2(len(weights) + 1) + log2_choose(len(weights), len(used))
    return float(which + sum(map(integer_bits, used)))


def description_length(hidden: NDArray, output: NDArray, n_rows: float, errors: float) -> float:
    """Return the bits that send the labels of n_rows rows whose inputs are known.

    The number of units, the integers of each and of the output unit if there are several, and which rows
    are exceptions.

    Parameters
    ----------
    hidden, output : arrays of integers, shapes (H, M) and (H + 1,)
    n_rows, errors : number of rows, and of those that the network gets wrong

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.selection.description import description_length
    >>> round(description_length(np.array([[0, 1, -2]]), np.array([0, 1]), 100, 2), 1)
    29.5
    """
    size = len(hidden)
    bits = 1.0 + 2.0 * np.floor(np.log2(size)) + sum(map(row_bits, hidden))
    if size > 1:
        bits += row_bits(output)
    return float(bits + np.log2(n_rows + 1) + log2_choose(n_rows, errors))


def choose_shortest(
    X: NDArray,
    labels: NDArray,
    weights: NDArray,
    classes: NDArray,
    names: Sequence[str] | None,
    terms: Terms,
) -> Fitted:
    """Choose the network of two classes with the shortest description; the parameters are those of `fit`.

    Of the terms count `max_hidden`, `seed`, `n_threads` and `report`.
    """
    patterns = condense(X.astype(float), labels, weights, len(classes))
    data = Data.of(patterns, X, classes, names)
    largest = _largest(terms)
    plan = Plan(largest, seed=terms.seed, n_threads=terms.n_threads)
    terms.stages.expect(plan_descriptions(len(INVERSE_TEMPERATURES), largest))
    found = shortest(data, Task.of(patterns, X), plan, terms.stages)
    best, total = found[0], data.all.weights.sum()
    network = replace(best.network, calibration=calibrate(best.network, data), feature_names=data.names)
    longest = max(one.bits for one in found)
    chosen = (
        f"{best.name} ({count(network.n_nonzero, 'weight')}): the shortest of {len(found)} descriptions, "
        f"{best.bits:.0f} bits with {best.errors:g} errors; the longest has {longest:.0f}"
    )
    results = {
        "candidate": np.array([one.name for one in found]),
        "bits": np.array([one.bits for one in found]),
        "training_error": np.array([one.errors / total for one in found]),
        "n_hidden": np.array([one.network.n_hidden for one in found]),
        "n_weights": np.array([one.network.n_nonzero for one in found]),
        "chosen": np.arange(len(found)) == 0,
    }
    trace = network.growth_trace
    return Fitted(network, chosen, results, network.n_nonzero, None, network.temperature, trace)


def most_descriptions(terms: Terms, n_classes: int) -> int:
    """Return how many stages `choose_shortest` tells of at most."""
    return len(INVERSE_TEMPERATURES) + _largest(terms)


def _largest(terms: Terms) -> int:
    return FEW if terms.max_hidden is None else terms.max_hidden


def shortest(data: Data, task: Task, plan: Plan, stages: Stages = SILENT) -> list[Description]:
    """Return descriptions by units at several temperatures and by grown networks, the shortest first.

    Each is pruned to integers that make no more errors than it. Networks grow until `plan.max_hidden` units,
    no errors, or `PATIENCE` sizes that do not shorten the description.
    """
    rows, targets, weights = data.rows[data.all.pattern], data.all.targets, data.all.weights
    units = column_units(rows)
    found: list[Description] = []

    def describe(name: str, hidden: NDArray, output: NDArray) -> None:
        network = Network(hidden, output, data.classes, origin=data.standardisation.frame.offset)
        try:
            network = prune_network(network, rows, targets, weights, weights="integer", seed=plan.seed)
        except ValueError:  # no such integers, for example far from the origin
            return
        wrong = (network.decision(rows) >= 0) != (targets > 0)
        errors = float(weights[wrong].sum())
        integers = np.rint(network.hidden_weights * np.concatenate([[1.0], units]))
        bits = description_length(integers, network.output_weights[0], float(weights.sum()), errors)
        found.append(Description(name, network, errors, bits))

    X = np.ascontiguousarray(data.X[:, data.all.pattern] * targets)
    path, _ = unit_path(X, weights, INVERSE_TEMPERATURES)
    planes, _ = data.standardisation.folded(path)
    for k, plane in enumerate(planes, start=1):
        stages.begin("integers", f"{k} of {len(planes)}")
        describe(f"pruned hyperplane (cold {k} of {len(planes)})", plane[None], PASS_ON)
    tried = len(found)
    stages.begin("grown", "1 unit")

    def watch(record: dict[str, Any], layer: Layer) -> bool:
        size = len(layer.hidden)
        if record["n_hidden"] < size:
            return False
        output = PASS_ON if size == 1 else normalised(layer.output)[None]
        name = f"pruned network of {count(size, 'hyperplane')}"
        describe(name, layer.user_weights(task), output)
        grown = [one.bits for one in found[tried:]]
        enough = len(grown) > PATIENCE and int(np.argmin(grown)) < len(grown) - PATIENCE
        if not enough and size != plan.max_hidden:
            stages.begin("grown", f"{size + 1} units")
        return enough

    grow(task, plan, watch)
    if not found:
        raise ValueError(
            "criterion='mdl' found no network of integers: the values of X lie too far from 0 for their "
            "spread; allowed is X with columns centred, or criterion='cv'"
        )
    return sorted(found, key=lambda one: one.bits)


def calibrate(network: Network, data: Data) -> Calibration:
    """Fit the log-odds of a network to the labels of all rows, which it was trained on."""
    examples = data.all
    fields = network.fields(data.rows[examples.pattern])
    calibration = fit_to_labels(fields, examples.labels, examples.weights, data.priors)
    stretch = fit_stretch(calibration.scores(fields), examples.labels, examples.weights)
    return calibration.stretched(*stretch)
