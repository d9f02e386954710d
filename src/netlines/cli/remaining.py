"""How much of a fit is left, and which share of it is done.

1. Of a stage under way there is left what it has not used of its expected seconds, and never nothing.
2. Stages to come take longer, or shorter, than expected as those did that are finished.
3. Networks of a scheme take as long as those that are finished.
4. A fold of the closing check takes as long as the training, less the rows that are held out; later as long
   as the folds before it.
5. The share that is done moves so that all would be done after the seconds that are left: if they turn out
   more or fewer, the rest goes slower or faster, and what was done stays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from netlines.selection.stages import Stage


@dataclass(frozen=True)
class Guess:
    """Tuned numbers.

    Attributes
    ----------
    at_least : share of the time that a stage was expected to take, and took so far, that it is still given
    trust : seconds of stages that would have to be wrong before the expectation is doubted
    compiling : seconds that compiling takes in all, 8 to 11 were measured
    peers : seconds of a fit of a peer before one is timed; 0.02, 0.02 and 0.3 were measured on 683 × 9 rows
    fullest : share that is not passed before the end
    """

    at_least: float = 0.1
    trust: float = 0.5
    compiling: float = 9.0
    peers: float = 0.1
    fullest: float = 0.99


GUESS = Guess()
OTHER_SIZE = "another size"


def still(expected: float, passed: float) -> float:
    """Return the seconds that are left of what was expected to take some, and is under way.

    Examples
    --------
    >>> from netlines.cli.remaining import still
    >>> still(10, 4), still(10, 30)
    (6, 4.0)
    """
    return max(expected - passed, GUESS.at_least * (expected + passed))


@dataclass
class _Network:
    """A network in training: since when, its stage and since when, and its units so far if it grows."""

    since: float
    stage: Stage | None = None
    stage_since: float = 0.0
    units: int = 0


@dataclass
class Training:
    """What is known of a training under way; a network is named by anything that tells it from others.

    Attributes
    ----------
    since : when it began
    n_networks : how many there are in all, if it is a scheme of several
    done : how long the finished ones took
    """

    since: float
    n_networks: int = 1
    done: list[float] = field(default_factory=list)
    _under_way: dict[Hashable, _Network] = field(default_factory=dict)
    _expected: float = GUESS.trust
    _took: float = GUESS.trust
    _until: float | None = None

    def seconds(self, now: float) -> float:
        """Return how long it took so far, or in all."""
        return (now if self._until is None else self._until) - self.since

    def finish(self, now: float) -> None:
        """Be done with all."""
        self._until = now

    def network(self, name: Hashable, now: float) -> _Network:
        """Return a network, which may be new."""
        return self._under_way.setdefault(name, _Network(now))

    def number(self, name: Hashable) -> int:
        """Return which of all networks one under way is, counted from 1."""
        return min(self.n_networks, len(self.done) + 1 + list(self._under_way).index(name))

    def begin(self, name: Hashable, stage: Stage, now: float) -> None:
        """Go on to the next stage of a network."""
        network = self.network(name, now)
        self._finish_stage(network, now)
        network.stage, network.stage_since = stage, now

    def end(self, name: Hashable, now: float) -> None:
        """Be done with a network."""
        network = self._under_way.pop(name, None)
        if network is not None:
            self._finish_stage(network, now)
            self.done.append(now - network.since)

    def _finish_stage(self, network: _Network, now: float) -> None:
        if network.stage is not None and network.stage.seconds:
            self._expected += network.stage.seconds
            self._took += now - network.stage_since

    def left(self, now: float) -> float | None:
        """Return the seconds that are left, None if nothing is known of the end."""
        if self._until is not None:
            return 0.0
        if not self._under_way:
            return None
        usual = sum(self.done) / len(self.done) if self.done else None
        known = [self._left_of(network, usual, now) for network in self._under_way.values()]
        lefts = [one for one in known if one is not None]
        if len(lefts) < len(known):
            return None
        if usual is None:
            usual = max(lefts) + now - min(one.since for one in self._under_way.values())
        waiting = max(0, self.n_networks - len(self.done) - len(lefts))
        return (sum(lefts) + waiting * usual) / len(lefts)

    def _left_of(self, network: _Network, usual: float | None, now: float) -> float | None:
        if network.stage is not None:
            pace = self._took / self._expected
            return still(pace * network.stage.seconds, now - network.stage_since) + pace * network.stage.after
        return None if usual is None else still(usual, now - network.since)


@dataclass
class Check:
    """The fits of the folds, one after the other, with what they took and are expected to take.

    Attributes
    ----------
    names : of the models, in their order; the first is the one that was trained
    folds : number of folds
    sizes : number of other sizes of it that are trained after the folds
    """

    names: Sequence[str]
    folds: int
    sizes: int = 0
    _took: dict[str, list[float]] = field(default_factory=dict)
    _begun: int = 0
    _since: float = 0.0

    def begin(self, now: float) -> None:
        """Go on to the next fit."""
        if self._begun:
            self._took.setdefault(self._name(self._begun - 1), []).append(now - self._since)
        self._begun, self._since = self._begun + 1, now

    def _name(self, fit: int) -> str:
        return self.names[fit % len(self.names)] if fit < self.folds * len(self.names) else OTHER_SIZE

    def left(self, training: float, now: float) -> float:
        """Return the seconds that are left, given what a training on all rows takes."""
        if not self.folds:
            return 0.0
        seconds = {**dict.fromkeys(self.names, GUESS.peers), OTHER_SIZE: training}
        seconds[self.names[0]] = training * (self.folds - 1) / self.folds
        seconds |= {name: sum(took) / len(took) for name, took in self._took.items()}
        waiting = range(self._begun, self.folds * len(self.names) + self.sizes)
        left = sum(seconds[self._name(fit)] for fit in waiting)
        return left + (still(seconds[self._name(self._begun - 1)], now - self._since) if self._begun else 0.0)


class Compiling:
    """A clock that stands still while something is compiled, and how long that may still take."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._took, self._since = 0.0, 0.0
        self.under_way, self.words = False, ""

    def begin(self, words: str) -> None:
        """Let the clock stand still, and remember how to say so."""
        self.under_way, self.words, self._since = True, words, self._clock()

    def end(self) -> None:
        """Let the clock go on."""
        self._took += self._clock() - self._since
        self.under_way = False

    def now(self) -> float:
        """Return the time."""
        return (self._since if self.under_way else self._clock()) - self._took

    def left(self) -> float:
        """Return the seconds until all is compiled; 0 if nothing is."""
        return still(GUESS.compiling, self._took + self._clock() - self._since) if self.under_way else 0.0


class Share:
    """The share of the whole that is done: it never falls, and is less than 1 until the end."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = self._last = clock()
        self._known = self._finished = False
        self.value = 0.0

    @property
    def seconds(self) -> float:
        """How long it took so far."""
        return self._last - self._since

    def finish(self) -> None:
        """Be done."""
        self._finished, self.value = True, 1.0

    def move(self, left: float | None) -> None:
        """Go on to the share that is done now, if so many seconds are left; None if that is not known."""
        # Of a beginning that had no known end all is made up for.
        before = self._last if self._known else self._since
        self._last = self._clock()
        self._known = left is not None
        if left is not None and not self._finished:
            passed = self._last - before
            part = passed / (passed + left) if passed > 0 else 0.0
            self.value = max(self.value, min(self.value + (1.0 - self.value) * part, GUESS.fullest))
