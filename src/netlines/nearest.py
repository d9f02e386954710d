"""Find the smallest change of a row that changes the answer of a network.

numpy and scipy only. Small is the Euclidean norm in standardised units. Where the answer is a function of the
hidden states, the search is exact: the rows with given states of some units are an intersection of
half-spaces, and the nearest of them a least distance problem (Lawson and Hanson, "Solving Least Squares
Problems", chapter 23). Where networks compare margins, the change is only nearly the smallest.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from netlines.codes import answers_of_codes, code_decides, hidden_weights
from netlines.network import Network, sign
from netlines.networks import Networks
from netlines.reading import as_row, input_names, input_number

BUDGET = 3000  # the most least distance problems for a row
MARGIN = 1e-9  # how far beyond a hyperplane a flip lies, in parts of its distance
FAR = 1e12  # standard deviations: hyperplanes further away are never reached
FEW = 60  # as many where the hidden states do not decide alone
TIED = -1  # the number of the answer where a vote is tied: margins decide
N_RADII = 81  # where changes are tried along each direction
N_MIXTURES = 50  # random directions
MOST_AXES = 30  # free inputs up to which each of them is a direction
STARTS = 3  # directions that are refined, the best first
STEPS = 30  # of the refinement of a direction
TURNS = 0.4 ** np.arange(8)  # how far a direction is turned towards a normal
LENGTHS = np.array([0.5, 0.9, 0.99, 0.999])  # what is tried of a turned change


@dataclass(frozen=True, eq=False)
class Flip:
    """The smallest change of a row that changes the answer.

    Attributes
    ----------
    row : array of shape (N,)
        The changed row, which the network answers with another class.
    change : array of shape (N,)
        What was added to the row, in the user's units.
    norm : float
        The Euclidean norm of the change in standardised units.
    label : object
        The new answer.
    exact : bool
        Whether no smaller change has an allowed answer, up to a billionth part; else none was found.
    """

    row: NDArray
    change: NDArray
    norm: float
    label: Any
    exact: bool

    def __post_init__(self) -> None:
        for name in ("row", "change"):
            getattr(self, name).setflags(write=False)


def nearest_other(
    network: Network | Networks,
    x: Any,
    *,
    classes: Any = None,
    features: Any = None,
    low: Any = None,
    high: Any = None,
) -> Flip | None:
    """Return the smallest change of a row that changes the answer, or None if no change does.

    It is the smallest one for a `Network`, a tree and a vote without a tie nearby, unless the search takes
    too long, as it may with more than 12 hidden units, or the priors have changed. Else, and where several
    networks compare their margins, it is only the smallest one found: changes in many directions, turned
    step by step towards a nearer border. `exact` tells which; None then means that none was found. In any
    case `network.predict` answers the changed row with an allowed class, and not the row that is changed by
    99 % of it, unless they differ by little more than rounding.

    Parameters
    ----------
    network : Network or Networks
    x : array-like of N numbers
    classes : sequence of labels or None
        The new answers that are allowed; None: any but the present one.
    features : sequence of numbers or names of inputs, or None
        The inputs that may change; None: all.
    low, high : array-like of shape (N,) or None
        The limits of the changed row; None or ±∞: no limit. They must allow the row itself.

    Examples
    --------
    >>> from netlines.nearest import nearest_other
    >>> from netlines.network import Network
    >>> both = Network([[-1, 1, 0], [-1, 0, 1]], [[-1, 1, 1]], ["no", "yes"])  # both inputs at least 1
    >>> flip = nearest_other(both, [0.0, -1.0])
    >>> flip.label, flip.row.round(3).tolist(), round(flip.norm, 3), flip.exact
    ('yes', [1.0, 1.0], 2.236, True)
    >>> nearest_other(both, [0.0, -1.0], high=[0.9, 5.0]) is None
    True
    """
    task = _Task.of(network, x, classes, features, low, high)
    if not len(task.wanted):
        return None
    found, exact = _search(task, _Codes(network) if code_decides(network) else None)
    if not exact:
        found = _look_around(task, found)
    if found is None:
        return None
    row = task.rows(_shortened(task, found))
    change = row - task.x
    norm = _norm(change / network.surroundings.scale)
    return Flip(row, change, norm, network.predict(row[None]).tolist()[0], exact)


@dataclass(frozen=True, eq=False)
class _Task:
    """A row and the changes that are allowed: all changes are in standardised units, of the free inputs.

    Of each unit the normal of its hyperplane over the free inputs (zeros if it does not depend on them), the
    signed distance, how far rounding may blur it, and the largest distance within the limits.
    """

    network: Network | Networks
    x: NDArray
    wanted: NDArray  # labels
    free: NDArray  # numbers of the inputs
    scale: NDArray  # of the free inputs
    low: NDArray  # of the changes, as many
    high: NDArray
    limits: tuple[NDArray, NDArray]  # of the free inputs, in the user's units
    code: NDArray
    normals: NDArray
    distances: NDArray
    blur: NDArray
    most: NDArray

    @classmethod
    def of(
        cls, network: Network | Networks, x: Any, classes: Any, features: Any, low: Any, high: Any
    ) -> _Task:
        """Return the task that the parameters of `nearest_other` describe, or raise an error."""
        x = as_row(network, x)
        names = input_names(network)
        bottom, top = (_limits(len(x), side, given) for side, given in ((-np.inf, low), (np.inf, high)))
        for i in np.flatnonzero(~((bottom <= x) & (x <= top))):
            span = f"{bottom[i]:g} to {top[i]:g}"
            raise ValueError(f"the value of {names[i]!r} must lie within its limits {span}, got {x[i]:g}")
        numbers = range(len(x)) if features is None else {input_number(network, one) for one in features}
        free = np.array(sorted(numbers), dtype=int)
        scale = network.surroundings.scale[free]
        limits = bottom[free], top[free]
        down, up = ((limit - x[free]) / scale for limit in limits)
        wanted = _wanted(network, x, classes)
        normals, distances, blur = _planes(network, x, free, scale)
        with np.errstate(invalid="ignore"):  # 0 times infinity
            gains = np.maximum(normals * down, normals * up)
        most = distances + np.where(normals == 0, 0.0, gains).sum(axis=1)
        code = network.internal_representation(x[None])[0]
        return cls(network, x, wanted, free, scale, down, up, limits, code, normals, distances, blur, most)

    @property
    def limited(self) -> bool:
        """Whether any free input has a limit."""
        return bool(np.isfinite(self.low).any() or np.isfinite(self.high).any())

    def rows(self, changes: NDArray) -> NDArray:
        """Return the rows (..., N) that changes (..., number of free inputs) make, within the limits."""
        rows = np.broadcast_to(self.x, (*changes.shape[:-1], len(self.x))).copy()
        rows[..., self.free] = np.clip(rows[..., self.free] + changes * self.scale, *self.limits)
        return rows

    def flips(self, changes: NDArray) -> NDArray:
        """Tell which changes (m, number of free inputs) give an allowed answer, shape (m,)."""
        answers = self.network.predict(self.rows(changes))
        return np.asarray((answers[:, None] == self.wanted).any(axis=1))

    def flips_one(self, change: NDArray) -> bool:
        """Tell whether a change gives an allowed answer."""
        return bool(self.flips(change[None])[0])


def _limits(n: int, side: float, given: Any) -> NDArray:
    """Return the lower or upper limits of n inputs; what is None is without limit."""
    if given is None:
        return np.full(n, side)
    limits = np.array([side if one is None else one for one in given], dtype=float)
    if limits.shape != (n,) or np.isnan(limits).any():
        raise ValueError(f"low and high must be {n} numbers each, got {limits.tolist()}")
    return limits


def _wanted(network: Network | Networks, x: NDArray, classes: Any) -> NDArray:
    """Return the labels that are allowed as the new answer."""
    present, labels = network.predict(x[None])[0], network.classes
    for label in () if classes is None else classes:
        if label not in labels.tolist():
            raise ValueError(f"classes must be among {labels.tolist()}, got {label!r}")
    allowed = labels if classes is None else labels[[label in list(classes) for label in labels.tolist()]]
    return np.asarray(allowed[allowed != present])


def _planes(
    network: Network | Networks, x: NDArray, free: NDArray, scale: NDArray
) -> tuple[NDArray, NDArray, NDArray]:
    """Return normals, distances and blurs of all units, see `_Task`."""
    weights = hidden_weights(network)
    slopes = weights[:, 1:][:, free] * scale
    largest = np.abs(slopes).max(axis=1, initial=0.0)
    # A weight may be so small that its square vanishes: the largest is divided out first.
    slopes = slopes / np.where(largest > 0, largest, 1.0)[:, None]
    norms = np.sqrt((slopes**2).sum(axis=1))
    fields = weights[:, 0] + weights[:, 1:] @ x
    blur = np.abs(weights[:, 0]) + np.abs(weights[:, 1:]) @ (np.abs(x) + network.surroundings.scale)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        distances, blur = (one / largest / norms for one in (fields, 16 * np.finfo(float).eps * blur))
        constant = ~(np.abs(distances) < FAR)
    normals = slopes / np.where(norms > 0, norms, 1.0)[:, None]
    return np.where(constant[:, None], 0.0, normals), np.where(constant, 0.0, distances), blur


class _Codes:
    """What a network whose hidden states decide answers to them, to all or to a part of them."""

    def __init__(self, network: Network | Networks) -> None:
        self.network = network
        if isinstance(network, Networks):
            labels = network.classes.tolist()
            self.orders = [[labels.index(label) for label in one] for one in network.learning_sequences]
            self.ends = np.cumsum([part.network.n_hidden for part in network.parts])[:-1]

    def answer(self, code: NDArray) -> int:
        """Return the number of the class that the states of all units give, or `TIED`."""
        return int(answers_of_codes(self.network, code[None])[0])

    def possible(self, states: NDArray) -> NDArray[np.bool_]:
        """Return which classes the states of some units, 0 where they are free, leave possible, shape (C,).

        Of several trees a class must be able to get as many votes as any other has for certain.
        """
        network = self.network
        if isinstance(network, Network):
            return _possible(network, states)
        by_part = zip(network.parts, np.split(states, self.ends), strict=True)
        says = [_possible(part.network, own) for part, own in by_part]
        leaves = np.zeros((len(network.trees), network.n_classes), dtype=bool)
        for row, tree, order in zip(leaves, network.trees, self.orders, strict=True):
            for k, number in zip(tree, order, strict=False):
                row[number] = says[k][1]
                if not says[k][0]:
                    break
            else:
                row[order[-1]] = True
        certain = (leaves & (leaves.sum(axis=1, keepdims=True) == 1)).sum(axis=0)
        return leaves.sum(axis=0) >= certain.max()


def _possible(network: Network, states: NDArray) -> NDArray[np.bool_]:
    """Return which classes of one network the states leave possible, by bounds of the output sums."""
    weights = network.output_weights
    if network.n_classes == 2:
        if network.n_hidden == 1:
            return np.array([states[0] <= 0, states[0] >= 0])
        weights = np.vstack([-weights, weights]) / 2
    leads = weights[:, None] - weights
    most = leads[..., 0] + leads[..., 1:] @ states + np.abs(leads[..., 1:]) @ (states == 0)
    return np.asarray((most >= -1e-9 * np.abs(leads).sum(axis=2)).all(axis=1))


def _search(task: _Task, codes: _Codes | None) -> tuple[NDArray | None, bool]:
    """Return the smallest change by branch and bound, best first, and whether it is certainly the smallest.

    A node fixes the states of some units. Its bound is the distance to the intersection of their half-spaces.
    If the states at the nearest point of it do not give an allowed answer, some unit that is still free has
    another state than there: the children are, unit after unit, that it differs and those before do not.
    Without codes, or at a tie, only the nearest points themselves are tried.
    """
    labels = task.network.classes
    wanted = np.append((labels[:, None] == task.wanted).any(axis=1), True)  # a tie may be settled so
    doubt, left, number = np.inf, BUDGET if codes else FEW, count(1)
    start = np.where(task.normals.any(axis=1), 0.0, task.code)
    heap: list[tuple[float, int, NDArray, NDArray | None]] = [(0.0, 0, start, np.zeros(len(task.free)))]
    while heap and left:
        bound, _, states, change = heapq.heappop(heap)
        if change is None:
            left -= 1
            change = _project(task, states)
            if change is None:
                continue
            bound = max(bound, _norm(change))
            if heap and bound > heap[0][0]:
                heapq.heappush(heap, (bound, next(number), states, change))
                continue
        fields = task.normals @ change + task.distances
        code = np.where(states != 0, states, sign(fields))
        answer = codes.answer(code) if codes else TIED
        if answer == TIED:
            doubt = min(doubt, bound)
        if wanted[answer] and task.flips_one(change):
            return change, bound <= doubt and answer != TIED
        if wanted[answer] and codes and not states.all():  # a free unit is in the balance: fix them all
            heapq.heappush(heap, (bound, next(number), code, None))
        for child, k in _children(states, code, fields):
            if codes is None or wanted[:-1][codes.possible(child)].any():
                reach = abs(task.distances[k]) if child[k] != task.code[k] else 0.0
                heapq.heappush(heap, (max(bound, reach), next(number), child, None))
    return None, not heap and doubt == np.inf


def _children(states: NDArray, code: NDArray, fields: NDArray) -> Iterator[tuple[NDArray, int]]:
    """Yield the states that leave a code at one unit after the other, the furthest first, and that unit.

    So the nearest ones, which are looked at first, leave the least free.
    """
    for k in sorted(np.flatnonzero(states == 0).tolist(), key=lambda k: -abs(fields[k])):
        child = states.copy()
        child[k] = -code[k]
        yield child, k
        states = states.copy()
        states[k] = code[k]


def _project(task: _Task, states: NDArray) -> NDArray | None:
    """Return the smallest change after which units have given states, 0: any; None if there is none.

    The change goes a little beyond the hyperplanes, so that rounding does not undo it. Where limits leave no
    room for that, it may end on a hyperplane if the state is to be +1, which is that of its points.
    """
    use = (states != 0) & task.normals.any(axis=1)
    sides, distances = states[use], task.distances[use]
    flipped = np.where(sides != task.code[use], np.abs(distances), 0.0)
    blur, plus = task.blur[use], sides > 0
    margin = MARGIN * flipped.max(initial=0.0) + blur
    G, right = sides[:, None] * task.normals[use], -sides * distances
    tight = plus & (task.most[use] <= margin)
    for without in (tight, plus) if task.limited else (tight,):
        slack = 4 * blur[without].max(initial=0.0)
        found = _nearest_in_box(G, right + np.where(without, -blur, margin), task, slack)
        if found is not None:
            return found
    return None


def _nearest_in_box(G: NDArray, right: NDArray, task: _Task, slack: float) -> NDArray | None:
    """Return the smallest change with G change ≥ right within the limits, or None.

    Only limits that are broken by more than the slack become half-spaces: most inputs do not reach theirs.
    The change is cut off at all of them, and what is within the slack of a limit or of 0 is there.
    """
    n = G.shape[1]
    held = np.zeros(2 * n, dtype=bool)
    bounds, ends = np.vstack([np.eye(n), -np.eye(n)]), np.append(task.low, -task.high)
    while True:
        change = _least_distance(np.vstack([G, bounds[held]]), np.append(right, ends[held]))
        if change is None:
            return None
        broken = ~held & (np.append(change, -change) < ends - slack)
        if not broken.any():
            for limit in (0.0, task.low, task.high):
                change = np.where(np.abs(change - limit) <= slack, limit, change)
            return np.clip(change, task.low, task.high)
        held |= broken


def _least_distance(G: NDArray, right: NDArray) -> NDArray | None:
    """Return the shortest vector v with G v ≥ right, or None: Lawson and Hanson's problem LDP."""
    size = right.max(initial=0.0)
    if not size > 0:
        return np.zeros(G.shape[1])
    goal = np.append(np.zeros(G.shape[1]), 1.0)
    for _ in range(5):
        E = np.vstack([G.T, right / size])
        E /= np.sqrt((E**2).sum(axis=0))
        u, _ = nnls(E, goal, maxiter=30 * len(G))
        rest = E @ u - goal
        # This is 1/(1 + |v/size|²). If it is small, much of it is rounding: again, with a size nearer to v's.
        share = -rest[-1]
        if share > 1e-3:
            v = np.asarray(size * rest[:-1] / share)
            return v if (G @ v >= right - 1e-11 * (_norm(v) + np.abs(right))).all() else None
        size /= np.sqrt(max(share, 1e-8))
    return None


def _shortened(task: _Task, change: NDArray) -> NDArray:
    """Return the part of a change that is needed: 99 % of it do not give an allowed answer any more.

    Unless the whole is so small that rounding decides.
    """
    while task.flips_one(0.99 * change):
        short, enough = 0.0, 0.99
        while short < 0.995 * enough and enough > 1e-12:
            middle = (short + enough) / 2
            if task.flips_one(middle * change):
                enough = middle
            else:
                short = middle
        if enough <= 1e-12 or (task.rows(0.99 * enough * change) == task.rows(enough * change)).all():
            return enough * change
        change = enough * change
    return change


def _norm(vector: NDArray) -> float:
    return float(np.sqrt(vector @ vector))


def _look_around(task: _Task, known: NDArray | None) -> NDArray | None:
    """Return a small change with an allowed answer, the known one or from many directions; None: none."""
    directions = _directions(task)
    near = np.append(np.abs(task.distances[task.normals.any(axis=1)]), 1.0)
    radii = np.geomspace(max(1e-2 * near.min(), 1e-9), 100.0 * near.max(), N_RADII)
    changes = np.clip(radii[:, None] * directions[:, None, :], task.low, task.high)
    flips = task.flips(changes.reshape(-1, len(task.free))).reshape(changes.shape[:2])
    along = flips.any(axis=1)
    starts = sorted(changes[along, flips.argmax(axis=1)[along]], key=_norm)[:STARTS]
    starts += [] if known is None else [known]
    return min((_refined(task, one) for one in starts), key=_norm, default=None)


def _directions(task: _Task) -> NDArray:
    """Return unit vectors to look along, both ways: normals, mixtures of them, slopes and, if few, inputs."""
    n = len(task.free)
    axes = np.eye(n) if n <= MOST_AXES else np.empty((0, n))
    lines = _unit(np.vstack([task.normals, _slopes(task, np.zeros(n)), axes, _mixtures(task)]))
    return np.vstack([lines, -lines])


def _mixtures(task: _Task) -> NDArray:
    """Return random mixtures of the normals, always the same: across them nothing changes but the limits."""
    random = np.random.default_rng(0).standard_normal((N_MIXTURES, len(task.normals)))
    return _unit(random @ task.normals)


def _unit(vectors: NDArray) -> NDArray:
    """Return the vectors of norm 1, without those that are zero."""
    norms = np.sqrt((vectors**2).sum(axis=1))
    return np.asarray(vectors[norms > 0] / norms[norms > 0, None])


def _slopes(task: _Task, change: NDArray) -> NDArray:
    """Return how the scores of allowed classes over those of others grow with each input, by differences."""
    step = 1e-6
    around = change + step * np.vstack([np.eye(len(change)), -np.eye(len(change))])
    rows = np.tile(task.x, (len(around), 1))
    rows[:, task.free] += around * task.scale
    up, down = np.split(_scores(task.network, rows), 2)
    grows = ((up - down) / (2 * step)).T
    wanted = (task.network.classes[:, None] == task.wanted).any(axis=1)
    return np.asarray((grows[wanted][:, None] - grows[~wanted]).reshape(-1, len(change)))


def _scores(network: Network | Networks, rows: NDArray) -> NDArray:
    """Return what speaks for each class, shape (n, C): the answer has the largest."""
    if network.moved:
        return np.log(np.maximum(network.probability(rows), np.finfo(float).tiny))
    scores = network.decision(rows)
    return scores if scores.ndim == 2 else np.column_stack([-scores, scores])


def _refined(task: _Task, change: NDArray) -> NDArray:
    """Return a smaller change that still has an allowed answer, turned towards normals of the border.

    Where that fails, as in corners of it, it is turned in random directions.
    """
    change, mixtures = _first(task, change), _mixtures(task)
    for _ in range(STEPS):
        normals = _unit(np.vstack([task.normals, _slopes(task, (1 - 1e-6) * change)]))
        shorter = _turned(task, change, (normals @ change)[:, None] * normals - change)
        if shorter is None:
            shorter = _turned(task, change, _norm(change) * np.vstack([mixtures, -mixtures]))
        if shorter is None:
            break
        change = _first(task, shorter)
    return change


def _turned(task: _Task, change: NDArray, turns: NDArray) -> NDArray | None:
    """Return the shortest allowed change among those turned more or less by vectors, or None."""
    turned = _unit((change + TURNS[:, None, None] * turns).reshape(-1, len(change)))
    tries = np.clip(LENGTHS[:, None, None] * _norm(change) * turned, task.low, task.high)
    tries = tries.reshape(-1, len(change))
    flips = task.flips(tries)
    return tries[flips.argmax()] if flips.any() else None


def _first(task: _Task, change: NDArray) -> NDArray:
    """Return the first part of a change that has an allowed answer, as far as a refined grid tells."""
    short, enough = 0.0, 1.0
    for _ in range(5):
        parts = np.linspace(short, enough, 33)[1:-1]
        flips = task.flips(parts[:, None] * change)
        k = int(flips.argmax()) if flips.any() else len(parts)
        short, enough = parts[k - 1] if k else short, parts[k] if k < len(parts) else enough
    return enough * change
