"""`MonoPlaneClassifier`: hidden units that each learn the errors of the one before, a parity machine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from netlines.classifiers.growing import GrowingClassifier
from netlines.training.growth import Growth, Plan, Watch, append_hidden, first_layer, train_output
from netlines.training.outputs import SignOutput
from netlines.training.sure_step import sure_step
from netlines.training.task import Layer, Task


class MonoPlaneClassifier(GrowingClassifier):
    """Grow a network by MonoPlane: each hidden unit learns the errors of the unit before it.

    The first unit learns the classes, and each further one where the unit before it is right and where it is
    wrong, until one makes no errors: the class is now the parity of the hidden states. Only then the output
    unit is trained. If it leaves errors, the next hidden unit learns where the output is right and where it
    is wrong, the following ones again the errors of the unit before, and then the output is trained again.
    `NetLinesClassifier` trains the output after each unit instead, and mostly grows smaller networks.

    The `errors` of `growth_trace_` stay as they are until the output is trained; `n_epochs_` and `n_updates_`
    count the units and outputs that were kept.

    Without contradictory rows (the same inputs in different classes) and limits, training always ends with
    zero errors; with them, with exactly the errors that no classifier can avoid. Only rows that weigh less
    than 10⁻⁵ of the heaviest row may be left wrong.

    Notes
    -----
    H is at most 1 + E(E + 5)/2, with E the avoidable errors of the first unit; `docs/paper.md` says why.

    See Also
    --------
    NetLinesClassifier : trains the output after each unit, and then all weights together.

    Examples
    --------
    >>> from netlines import MonoPlaneClassifier
    >>> from netlines.datasets import make_parity
    >>> X, y = make_parity(4)
    >>> clf = MonoPlaneClassifier().fit(X, y)
    >>> clf.n_hidden_, clf.n_training_errors_
    (4, 0)
    >>> [record["unit_errors"] for record in clf.growth_trace_]
    [5.0, 2.0, 1.0, 0.0]
    """

    def _grow(self, task: Task[SignOutput], plan: Plan, watch: Watch) -> Growth:
        return grow_monoplane(task, plan, watch)


def grow_monoplane(task: Task[SignOutput], plan: Plan, watch: Watch = lambda record, layer: False) -> Growth:
    """Grow a network until its errors weigh at most `plan.max_errors` or it has `plan.max_hidden` units.

    Each chain of units must lower the errors of the network by at least the smallest weight of a pattern, or
    the sure step is taken, which does: without a `max_hidden` the errors always vanish.

    Parameters
    ----------
    task : what is to be learnt
    plan : how; there is no joint annealing, whatever it says
    watch : called with the record of each new unit and the network so far; growth stops if it returns True
    """
    layer = first_layer(task, plan)
    growth = Growth(layer)
    stop = growth.keep(task, growth.count(layer), watch)
    limit = np.inf if plan.max_hidden is None else plan.max_hidden
    while layer.errors > plan.max_errors and len(layer.hidden) < limit and not stop:
        before = layer.errors
        for longer in _chain(task, plan, layer, limit):
            layer = growth.count(longer)
            stop = growth.keep(task, layer, watch)
            if stop:
                break
        # Deviation: units that cannot learn the errors of others would leave the network as it is for ever.
        stuck = before - layer.errors < task.least
        if stuck and len(layer.hidden) < limit and not stop:
            rng = np.random.default_rng([plan.seed, len(layer.hidden) + 1])
            step = sure_step(task, layer, rng, room=limit - len(layer.hidden))
            if step is None:
                break
            layer = step
            stop = growth.keep(task, layer, watch)
    if stop and not layer.output[-1]:  # in the middle of a chain
        growth.layer = train_output(task, plan, layer)
        growth.trace[-1]["errors"] = growth.layer.errors + task.unavoidable
    return growth


def _chain(task: Task[SignOutput], plan: Plan, layer: Layer, limit: float) -> Iterator[Layer]:
    """Yield the network with one hidden unit more at a time, the last one with its output trained.

    The first unit learns where the network is right, each further one where the unit before it is. The output
    ignores them until the chain ends: the errors of the newest unit are few enough, there are `limit` units,
    or another one would tell nothing new or make no fewer errors than the one before it.
    """
    targets = np.where(task.answers.wrong(layer.codes, layer.output), -1.0, 1.0)
    longer = _link(task, plan, layer, "right or wrong", targets)
    while longer is not None:
        layer, targets = longer, longer.codes[:, -1] * targets  # τ_{h+1} = σ_h τ_h
        if _weight(task, targets) <= plan.max_errors or len(layer.hidden) == limit:
            longer = None
        else:
            longer = _link(task, plan, layer, "errors of the unit before", targets)
        yield train_output(task, plan, layer) if longer is None else layer


def _link(task: Task[SignOutput], plan: Plan, layer: Layer, name: str, targets: NDArray) -> Layer | None:
    """Append a unit that learns which targets are negative; None if it is no better than answering none."""
    longer = append_hidden(task, plan, layer, (name, targets, np.ones(len(targets), dtype=bool)))
    if longer is None:
        return None
    left = _weight(task, longer.codes[:, -1] * targets)
    return longer if _weight(task, targets) - left >= task.least else None


def _weight(task: Task[SignOutput], targets: NDArray) -> float:
    """Weigh the errors that targets tell of."""
    return float(task.weights[targets < 0].sum())
