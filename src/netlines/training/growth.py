"""Grows a network unit by unit until it makes no errors: which targets next, which network to keep.

1. The first unit learns the classes. Then, until the errors are few enough or there are units enough:
2. a chain by NetLines alone goes on: its next unit learns where its output is right and where it is wrong;
3. some units are tried beside it, for that target and for the errors of either class (`_targets`);
4. the best of these, and some random networks of the same size, are annealed jointly and retrained;
5. the fewest errors win; if they have not fallen by the weight of a pattern, the sure step is taken.
6. Beyond `WIDEST` units several are added at a time instead (`strides`).
7. At the end spare units are dropped, and `polish` chooses among networks without more errors.

With `refine=False` the paper's chain is all there is, with the sure step where it stalls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.training.geometry import Folded
from netlines.training.minimerror import PORTFOLIO, Unit, paper_unit, train_unit
from netlines.training.outputs import SignOutput
from netlines.training.polish import polish
from netlines.training.refine import drop_spare_units, joint_from, joint_random, retrain
from netlines.training.strides import shrunk, stride, widened
from netlines.training.sure_step import sure_step
from netlines.training.task import ALONE, Layer, Task
from netlines.training.threads import in_order

OUTWEIGHED = "one class outweighs the other"
WIDEST = 12  # up to this many hidden units they are added one by one


@dataclass(frozen=True)
class Plan:
    """How to grow. `NetLinesClassifier` says what its fields mean."""

    max_hidden: int | None = None
    max_errors: float = 0.0
    negligible: float = 0.0
    schedule: str = "fast"
    refine: bool = True
    seed: int = 0
    n_threads: int = 1


Watch = Callable[[dict[str, Any], Layer], bool]
Target = tuple[str, NDArray, NDArray]  # a name, the states ±1 that are wanted, which patterns count


@dataclass(eq=False)
class Growth:
    """Where growth stands: the network, one record a unit, and the effort of everything tried."""

    layer: Layer
    trace: list[dict[str, Any]] = field(default_factory=list)
    epochs: int = 0
    updates: int = 0

    def count(self, attempt: Layer) -> Layer:
        """Add what an attempt cost."""
        self.epochs += attempt.epochs
        self.updates += attempt.updates
        return attempt

    def best_of(self, attempts: Iterable[Layer], enough: float) -> Layer | None:
        """Return the attempt with the fewest errors; leave as soon as they are few enough."""
        best: Layer | None = None
        for attempt in attempts:
            self.count(attempt)
            if best is None or attempt.errors < best.errors:
                best = attempt
            if best.errors <= enough:
                break
        return best

    def keep(self, task: Task, layer: Layer, watch: Watch) -> bool:
        """Go on from a larger network and tell about its new units; True if the watcher wants to stop."""
        self.layer = layer
        stop = False
        while len(self.trace) < len(layer.hidden):
            stop = self.tell(task, len(self.trace) + 1, watch) or stop
        return stop

    def tell(self, task: Task, n_hidden: int, watch: Watch) -> bool:
        """Add a record of the present network; True if the watcher wants to stop."""
        layer = self.layer
        record = {
            "n_hidden": n_hidden,
            "origin": layer.origin,
            "unit_errors": layer.unit_errors,
            "errors": layer.errors + task.unavoidable,
            "temperature": 1.0 / layer.beta if layer.beta else None,
            "epochs": layer.epochs,
        }
        self.trace.append(record)
        return watch(record, layer)


def grow(task: Task[SignOutput], plan: Plan, watch: Watch = lambda record, layer: False) -> Growth:
    """Grow a network until its errors weigh at most `plan.max_errors` or it has `plan.max_hidden` units.

    Each size must lower the errors by at least the smallest weight of a pattern, or the sure step is
    taken, which does: without a `max_hidden` the errors always vanish.

    Parameters
    ----------
    task : what is to be learnt
    plan : how
    watch : called with the record of each new unit and the network so far; growth stops if it returns True
    """
    before = layer = chain = first_layer(task, plan)
    growth = Growth(layer)
    stop = growth.keep(task, growth.count(layer), watch)
    limit = np.inf if plan.max_hidden is None else plan.max_hidden
    enough = plan.max_errors
    while layer.errors > enough and len(layer.hidden) < limit and not stop:
        size = len(layer.hidden) + 1
        if plan.refine and size > WIDEST:
            size = int(min(limit, len(layer.hidden) + stride(before, layer)))
            best: Layer | None = growth.count(widened(task, layer, size, plan.seed, enough))
        else:
            far = plan.refine and size < limit and _is_far(before, layer)
            chain = chain if plan.refine else layer
            # A chain that fell behind is not worth its time where many units are missing.
            if not far or chain.errors <= layer.errors:
                chain = _extend(task, plan, chain, size)
            best = growth.best_of(_attempts(task, plan, layer, chain, far), enough)
        if best is None or layer.errors - best.errors < (size - len(layer.hidden)) * task.least:
            rng = np.random.default_rng([plan.seed, size])
            best = sure_step(task, layer, rng, room=limit - len(layer.hidden))
        if best is None:
            break
        if best.errors <= enough and plan.refine and len(best.hidden) > WIDEST:
            best = shrunk(task, best, len(layer.hidden), plan.seed, enough, growth.count)
        before, layer = layer, best
        stop = growth.keep(task, layer, watch)
    if layer.errors <= enough and plan.refine and layer.origin != OUTWEIGHED:
        most = min(limit, _bound(task, growth))
        run = partial(in_order, n_threads=plan.n_threads)
        if len(layer.hidden) <= WIDEST:  # wider ones have been shrunk
            layer = drop_spare_units(task, layer)
        layer = polish(task, layer, most=most, seed=plan.seed, run=run)
        growth.layer = growth.count(layer)
        if len(layer.hidden) > len(growth.trace):  # the unit that polishing added, after growth has ended
            growth.tell(task, len(layer.hidden), lambda record, layer: False)
        if len(growth.layer.hidden) < len(growth.trace):
            del growth.trace[len(growth.layer.hidden) :]
            errors = growth.layer.errors + task.unavoidable
            growth.trace[-1] |= {"origin": "spare units dropped", "unit_errors": None, "errors": errors}
    return growth


def first_layer(task: Task[SignOutput], plan: Plan) -> Layer:
    """Train the first unit on the classes themselves.

    If the rows of one class weigh next to nothing together, the answer is the other class everywhere.
    """
    lead = task.answers.targets @ task.weights
    if task.weights.sum() - abs(lead) <= 2 * plan.negligible:
        return task.layer(np.sign(lead) * np.eye(1, task.n_inputs), ALONE, OUTWEIGHED)
    unit = train(plan, task.folded(task.answers.targets * task.weights))
    return _counted(task.layer(task.seat(unit.weights[None]), ALONE, "the classes"), unit)


def _counted(layer: Layer, unit: Unit) -> Layer:
    """Return a network with what training its newest unit took."""
    updates = unit.epochs * len(unit.weights)
    return replace(layer, unit_errors=unit.errors, beta=unit.beta, epochs=unit.epochs, updates=updates)


def append_unit(
    task: Task, plan: Plan, layer: Layer, target: Target, thetas: Iterable[float] = PORTFOLIO
) -> Layer | None:
    """Train one more hidden unit and a new output; None if the unit tells nothing new."""
    longer = append_hidden(task, plan, layer, target, thetas)
    return None if longer is None else train_output(task, plan, longer)


def append_hidden(
    task: Task, plan: Plan, layer: Layer, target: Target, thetas: Iterable[float] = PORTFOLIO
) -> Layer | None:
    """Train one more hidden unit that the output ignores as yet; None if it tells nothing new."""
    name, targets, use = target
    if abs(targets[use].sum()) == use.sum():
        return None
    unit = train(plan, task.folded(np.where(use, targets * task.weights, 0.0)), thetas)
    hidden = task.seat(unit.weights[None])
    code = task.codes(hidden)
    # Deviation: a constant unit, or one that repeats another, would leave the targets as they are for ever.
    known = np.hstack([layer.codes, np.ones_like(code)])
    if ((known == code).all(axis=0) | (known == -code).all(axis=0)).any():
        return None
    output = np.concatenate([layer.output, np.zeros((*task.answers.shape, 1))], axis=-1)
    folded = np.vstack([layer.weights_in(task), task.fold(hidden)])
    hidden, codes = np.vstack([layer.hidden, hidden]), np.hstack([layer.codes, code])
    return _counted(Layer(hidden, output, codes, layer.errors, name, folded=folded), unit)


def train_output(task: Task, plan: Plan, layer: Layer) -> Layer:
    """Train the output of a network anew; the old one stays if nothing beats it."""
    own = paper_unit if plan.schedule == "paper" else None
    output, errors, epochs = task.answers.fit(layer.codes, layer.output, train=own)
    updates = layer.updates + epochs * len(output)
    return replace(layer, output=output, errors=errors, epochs=layer.epochs + epochs, updates=updates)


def train(plan: Plan, patterns: Folded, thetas: Iterable[float] = PORTFOLIO) -> Unit:
    """Train a unit by the schedule of the plan."""
    if plan.schedule == "paper":
        return paper_unit(*patterns, seed=plan.seed)
    run = partial(in_order, n_threads=plan.n_threads)
    return train_unit(*patterns, seed=plan.seed, thetas=thetas, run=run)


def _targets(task: Task[SignOutput], layer: Layer) -> list[Target]:
    """Name the targets that the next unit may learn, with the patterns that count for each."""
    wrong, classes = task.answers.wrong(layer.codes, layer.output), task.answers.targets
    targets = [("right or wrong", np.where(wrong, -1.0, 1.0), np.ones(len(wrong), dtype=bool))]
    for c, name in ((1.0, "wrong of the class +1"), (-1.0, "wrong of the class -1")):
        targets.append((name, classes, np.where(wrong, classes == c, classes == -c)))
    return targets


def _extend(task: Task, plan: Plan, chain: Layer, size: int) -> Layer:
    """Grow `chain` by NetLines alone up to a size; what stalls is returned as it is."""
    longer, kept = None, []
    while len(chain.hidden) < size:
        for target in _targets(task, chain)[: 3 if plan.refine else 1]:
            longer = append_unit(task, plan, chain, target)
            if longer is not None:
                break
        if longer is None:
            break
        chain = longer
        kept.append(chain)
    return chain.after(kept)


def _is_far(before: Layer, layer: Layer) -> bool:
    """Tell whether more units are missing than are added one by one, at the pace of the last one."""
    return layer is not before and layer.errors > 2 * WIDEST * (before.errors - layer.errors)


def _attempts(task: Task, plan: Plan, layer: Layer, chain: Layer, far: bool) -> Iterator[Layer]:
    """Yield networks with one unit more than `layer`, the cheap ones first; few where the end is far."""
    size = len(layer.hidden) + 1
    starts: list[Layer] = []
    if len(chain.hidden) == size:
        yield chain
        starts.append(chain)
    if not plan.refine:
        return
    # Deviation: one-sided targets beside the paper's, θ = 2 beside 6; the network's errors decide.
    jobs = [(target, (theta,)) for target in _targets(task, layer) for theta in (6.0, 2.0)[: 1 if far else 2]]
    tried = [append_unit(task, plan, layer, target, thetas) for target, thetas in jobs]
    greedy = [candidate for candidate in tried if candidate is not None]
    if greedy:
        starts.insert(0, min(greedy, key=lambda candidate: candidate.errors).after(greedy))
        yield starts[0]

    def anneal(job: tuple[int, Layer | None]) -> Layer:
        k, start = job
        rng = np.random.default_rng([plan.seed, size, k])
        result = joint_random(task, size, rng) if start is None else joint_from(task, start)
        # Four sweeps where this may be the last size, one where many errors are left anyway.
        few = result.errors <= 0.1 * task.weights.sum() or size == plan.max_hidden
        sweeps = 4 if few and not far else 1
        return retrain(task, result, rng, sweeps) if result.errors else result

    errors = min((start.errors for start in starts), default=np.inf)
    for attempt in in_order(anneal, enumerate(starts), plan.n_threads):
        errors = min(errors, attempt.errors)
        yield attempt
    random = [(100 + k, None) for k in range(_random_starts(task, plan, size, errors, far))]
    yield from in_order(anneal, random, plan.n_threads)


def _random_starts(task: Task, plan: Plan, size: int, errors: float, far: bool) -> int:
    """Decide how many random networks to anneal: more where it is cheap or where few errors are left."""
    cheap, share = task.n_inputs * task.n_patterns * size <= 8000, errors / task.weights.sum()
    if cheap or (share <= 0.1 and not far):
        return (16 if cheap else 4) + (8 if share <= 0.005 else 0)
    return 2 if size == plan.max_hidden else 1


def _bound(task: Task, growth: Growth) -> float:
    """Return the most hidden units that growth may need: 1 and two for each error of the first unit."""
    errors = growth.trace[0]["errors"] - task.unavoidable
    return float(1 + 2 * np.floor(errors / task.weights.min() * (1 + 1e-9)))
