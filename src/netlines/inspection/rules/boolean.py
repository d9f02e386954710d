"""Short disjunctive forms of Boolean functions that are known on some codes only.

numpy and scipy only. A code is a row of ±1. A cube is a row of -1, 0 and +1: it holds the codes that have its
values where it is not 0. A cover is a set of cubes, joined by OR, that holds every positive code and no
negative one; all other codes are free.

A cube around a positive code excludes the negative ones if it mentions, for each of them, a place where the
two differ: its mentioned places are a hitting set of these differences. The minimal hitting sets are the
prime cubes, and some smallest cover consists of them. While they are few, all of them are listed and a linear
program in integers takes the fewest, among equals those with the fewest literals. Beyond that, prime cubes
are grown greedily, literal by literal, and the same program chooses among these; where even they are too
many, the one that holds most codes is taken again and again. All work is counted, not timed: equal codes give
equal cubes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

MOST_PAIRS = 2**23  # of a positive and a negative code, up to which all prime cubes are looked for
MOST_DIFFERENCES = 1500  # minimal ones of one positive code
MOST_CUBES = 4000  # prime ones
MOST_STEPS = 3_000_000  # in the search for them: about a second
MOST_CELLS = 100_000, 500_000  # codes times cubes, some or all, up to which a program chooses among these
MOST_NODES = 300  # of the tree in which it searches
WISHES = (0.3, 1.0, 3.0)  # how much greedy growth prefers positive codes inside to negative ones outside

Cubes = NDArray[np.int8]


class Cover(NamedTuple):
    """Cubes, shape (k, H), and whether there are provably no fewer, or as many with fewer literals."""

    cubes: Cubes
    minimal: bool


def shortest_cover(positive: ArrayLike, negative: ArrayLike, prefer: ArrayLike | None = None) -> Cover:
    """Find few cubes with few literals that hold every positive code and no negative one.

    Parameters
    ----------
    positive, negative : array-likes of shape (m, H)
        Codes of bool, or of numbers whose sign counts (+1, or -1 and 0). None is in both.
    prefer : array-like of shape (H,) or None
        The signs, ±1, that literals should have among equally short covers; None: +1.

    Returns
    -------
    Cover
        No cube if there is no positive code, the empty one if there is no negative code.

    Examples
    --------
    >>> from netlines.inspection.rules.boolean import shortest_cover
    >>> cover = shortest_cover([[1, 1, 1], [1, 1, -1], [-1, 1, -1]], [[-1, -1, -1], [-1, 1, 1]])
    >>> cover.cubes.tolist(), cover.minimal
    ([[1, 0, 0], [0, 1, -1]], True)
    """
    P, N = _as_codes("positive", positive), _as_codes("negative", negative)
    if P.shape[1] != N.shape[1]:
        raise ValueError(
            f"positive and negative must have codes of one length, got {P.shape[1]} and {N.shape[1]}"
        )
    if {row.tobytes() for row in P} & {row.tobytes() for row in N}:
        raise ValueError("a code must be either positive or negative, got one that is both")
    wanted = np.ones(P.shape[1], dtype=np.int8) if prefer is None else _signs(np.asarray(prefer))
    if wanted.shape != P.shape[1:]:
        raise ValueError(f"prefer must have {P.shape[1]} signs, got shape {wanted.shape}")
    if not len(P) or not len(N):
        return Cover(np.zeros((min(len(P), 1), P.shape[1]), dtype=np.int8), True)
    cubes, binding = _prime_cubes(P, N)
    complete = cubes is not None
    if cubes is None:
        cubes, binding = _greedy_cubes(P, N), np.ones(len(P), dtype=bool)
    chosen, proven = _fewest(cubes, inside(cubes, P[binding]), wanted, MOST_CELLS[complete])
    return Cover(chosen, complete and proven)


def inside(cubes: NDArray, codes: NDArray) -> NDArray[np.bool_]:
    """Tell which codes are in which cubes, shape (number of codes, number of cubes).

    Examples
    --------
    >>> import numpy as np
    >>> inside(np.array([[1, 0], [0, -1]]), np.array([[1, 1], [-1, -1]])).tolist()
    [[True, False], [False, True]]
    """
    agreements = codes.astype(np.float32) @ cubes.T.astype(np.float32)
    return np.asarray(agreements == np.count_nonzero(cubes, axis=1))


def n_literals(cubes: Iterable[NDArray]) -> int:
    """Count the places that cubes mention.

    Examples
    --------
    >>> import numpy as np
    >>> n_literals(np.array([[1, 0, 0], [0, -1, 1]]))
    3
    """
    return sum(int(np.count_nonzero(cube)) for cube in cubes)


def _as_codes(name: str, codes: ArrayLike) -> Cubes:
    array = np.asarray(codes)
    if array.ndim != 2:
        raise ValueError(f"{name} must have the shape (number of codes, H), got {array.shape}")
    return np.unique(_signs(array), axis=0)


def _signs(array: NDArray) -> Cubes:
    return np.where(array > 0, 1, -1).astype(np.int8)


def _prime_cubes(P: Cubes, N: Cubes) -> tuple[Cubes | None, NDArray[np.bool_]]:
    """Return all prime cubes that a smallest cover may need, or None if they are too many.

    Also returned is which positive codes bind: the others are in every prime cube of one that does.
    """
    binding, open_ = np.zeros(len(P), dtype=bool), np.ones(len(P), dtype=bool)
    if len(P) * len(N) > MOST_PAIRS:
        return None, binding
    # Codes with many negative neighbours have few prime cubes, which often hold many other codes.
    neighbours = (P.astype(np.float32) @ N.T.astype(np.float32) == P.shape[1] - 2).sum(axis=1)
    found: dict[bytes, Cubes] = {}
    steps = MOST_STEPS
    for i in np.argsort(-neighbours, kind="stable"):
        if not open_[i]:
            continue
        differences = _minimal_differences(P[i], N)
        sets, steps = _hitting_sets(differences, steps)
        for places in sets:
            cube = np.where(places, P[i], 0).astype(np.int8)
            found[cube.tobytes()] = cube
        if steps <= 0 or len(found) > MOST_CUBES:
            return None, binding
        # A code that agrees with this one wherever its prime cubes can look is in all of them.
        some = differences.any(axis=0)
        binding[i] = True
        open_ &= (P[:, some] != P[i, some]).any(axis=1)
    return np.array(list(found.values())), binding


def _minimal_differences(code: Cubes, N: Cubes) -> NDArray[np.bool_]:
    """Return where a code differs from the negative ones, without what contains another difference."""
    different = code != N
    single = different[different.sum(axis=1) == 1].any(axis=0)
    rest = np.unique(different[~different[:, single].any(axis=1)], axis=0)
    if 1 < len(rest) <= MOST_DIFFERENCES:
        sizes = rest.sum(axis=1)
        common = rest.astype(np.float32) @ rest.T.astype(np.float32)
        contains = common == sizes[:, None]  # [i, j]: j contains i
        np.fill_diagonal(contains, False)
        rest = rest[~contains.any(axis=0)]
    return np.vstack([np.eye(len(single), dtype=bool)[single], rest])


def _hitting_sets(differences: NDArray[np.bool_], steps: int) -> tuple[NDArray[np.bool_], int]:
    """Return all minimal sets of places that meet each difference, and the steps left.

    Berge's way: one difference after the other, the shortest first. No step is left if they were too many.
    """
    H = differences.shape[1]
    if len(differences) > MOST_DIFFERENCES:
        return np.zeros((0, H), dtype=bool), 0
    sets = [0]
    for difference in differences[np.argsort(differences.sum(axis=1), kind="stable")]:
        bits = [1 << int(h) for h in np.flatnonzero(difference)]
        whole = sum(bits)
        missing = [one for one in sets if not one & whole]
        hit = [one for one in sets if one & whole]
        grown = []
        for bit in bits if missing else ():
            rivals = [one for one in hit if one & bit]
            steps -= len(missing) * (1 + len(rivals))
            if steps <= 0:
                return np.zeros((0, H), dtype=bool), 0
            for one in missing:
                larger = one | bit
                if not any(rival & larger == rival for rival in rivals):
                    grown.append(larger)
        sets = hit + grown
        if len(sets) > MOST_CUBES:
            return np.zeros((0, H), dtype=bool), 0
    return np.array([[one >> h & 1 for h in range(H)] for one in sets], dtype=bool), steps


def _greedy_cubes(P: Cubes, N: Cubes) -> Cubes:
    """Grow prime cubes around codes that are in none yet, once for each wish."""
    found: dict[bytes, Cubes] = {}
    for wish in WISHES:
        open_ = np.ones(len(P), dtype=bool)
        while open_.any():
            cube = _grow_cube(P[open_.argmax()], P[open_], N, wish)
            found[cube.tobytes()] = cube
            open_ &= ~inside(cube[None], P)[:, 0]
    return np.array(list(found.values()))


def _grow_cube(code: Cubes, P: Cubes, N: Cubes, wish: float) -> Cubes:
    """Return a prime cube around a code, made of literals that exclude many of N and keep many of P."""
    different, alike = code != N, code == P
    chosen: list[int] = []
    while len(different):
        gain, kept = different.mean(axis=0), alike.mean(axis=0)
        best = int(np.where(gain > 0, gain + wish * kept, -1.0).argmax())
        chosen.append(best)
        different, alike = different[~different[:, best]], alike[alike[:, best]]
    places = np.array(chosen)
    different = (code != N)[:, places]
    needed = np.ones(len(places), dtype=bool)
    for k in range(len(places)):  # the first were chosen knowing least
        needed[k] = False
        needed[k] = not different[:, needed].any(axis=1).all()
    cube = np.zeros_like(code)
    cube[places[needed]] = code[places[needed]]
    return cube


def _fewest(cubes: Cubes, holds: NDArray[np.bool_], wanted: Cubes, most_cells: int) -> tuple[Cubes, bool]:
    """Return the fewest cubes that hold all codes, and whether this is proven.

    Among equally many those with the fewest literals, then with the most of the wanted sign.
    """
    literals = np.count_nonzero(cubes, axis=1)
    unwanted = (cubes == -wanted).sum(axis=1)
    order = np.lexsort((*cubes.T, unwanted, literals))
    _, first = np.unique(np.packbits(holds[:, order], axis=0), axis=1, return_index=True)
    order = order[np.sort(first)]  # of cubes that hold the same codes the best
    cubes, literals, unwanted = cubes[order], literals[order], unwanted[order]
    holds = np.unique(holds[:, order], axis=0)
    needed = holds[holds.sum(axis=1) == 1].any(axis=0)  # the only ones of some code
    holds = holds[~holds[:, needed].any(axis=1)]
    chosen = _greedy_choice(holds)
    proven = not len(holds)
    if 0 < holds.size <= most_cells:
        most = len(chosen) * int(literals.max()) + 1  # more literals than the best choice can have
        solved, proven = _solve(most + literals + unwanted / most, holds)
        chosen = chosen if solved is None else solved
    return cubes[np.union1d(np.flatnonzero(needed), chosen)], proven


def _solve(costs: NDArray, holds: NDArray[np.bool_]) -> tuple[NDArray | None, bool]:
    """Return the cheapest columns that together hold every row, if any were found, and whether proven."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    result: Any = milp(
        costs,
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(csr_array(holds.astype(float)), lb=1),
        options={"mip_rel_gap": 0.0, "node_limit": MOST_NODES},
    )
    if result.x is None:
        return None, False
    chosen = np.flatnonzero(result.x > 0.5)
    if not holds[:, chosen].any(axis=1).all():
        return None, False
    return chosen, result.status == 0


def _greedy_choice(holds: NDArray[np.bool_]) -> NDArray:
    """Return columns that together hold every row: again and again the one that holds most of the rest."""
    chosen, left = [], holds
    while len(left):
        best = int(left.sum(axis=0).argmax())
        chosen.append(best)
        left = left[~left[:, best]]
    return np.array(chosen, dtype=int)
