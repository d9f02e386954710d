"""Covers are right, as small as brute force finds them, and those of threshold functions are unate."""

from itertools import combinations, product

import numpy as np
import pytest

from netlines.inspection.rules import boolean
from netlines.inspection.rules.boolean import inside, n_literals, shortest_cover


def all_codes(H):
    return np.array(list(product((-1, 1), repeat=H)))


def assert_covers(cubes, positive, negative):
    assert inside(cubes, positive).any(axis=1).all()
    assert not inside(cubes, negative).any()


def smallest(positive, negative):
    """Return the smallest numbers of cubes and of literals, by trying all sets of all cubes."""
    H = positive.shape[1]
    cubes = np.array(list(product((-1, 0, 1), repeat=H)))
    cubes = cubes[~inside(cubes, negative).any(axis=0)]
    holds = inside(cubes, positive)
    # Of cubes that hold the same codes only one with the fewest literals can matter.
    best = {}
    for k in np.argsort(np.count_nonzero(cubes, axis=1), kind="stable"):
        best.setdefault(int("1" + "".join(map(str, holds[:, k].astype(int))), 2), k)
    sets = {held: int(np.count_nonzero(cubes[k])) for held, k in best.items()}
    maximal = [a for a in sets if not any(a != b and a & b == a and sets[b] <= sets[a] for b in sets)]
    everything = (1 << len(positive) + 1) - 1
    for size in range(1, len(positive) + 1):
        found = []
        for some in combinations(maximal, size):
            held = 0
            for one in some:
                held |= one
            if held == everything:
                found.append(sum(sets[one] for one in some))
        if found:
            return size, min(found)
    raise AssertionError("each code is a cube of its own")


@pytest.mark.parametrize("seed", range(60))
def test_covers_are_right_and_as_small_as_brute_force_finds(seed):
    rng = np.random.default_rng(seed)
    H = int(rng.integers(1, 5))
    codes = all_codes(H)
    kind = rng.choice(3, size=len(codes), p=(0.4, 0.4, 0.2))  # positive, negative, free
    kind[:2] = 0, 1
    positive, negative = codes[kind == 0], codes[kind == 1]
    cover = shortest_cover(positive, negative)
    assert_covers(cover.cubes, positive, negative)
    assert cover.minimal
    assert (len(cover.cubes), n_literals(cover.cubes)) == smallest(positive, negative)


def test_few_codes_of_five_bits_are_covered_as_well_as_by_brute_force():
    rng = np.random.default_rng(5)
    for _ in range(12):
        codes = rng.permutation(all_codes(5))[:14]
        cover = shortest_cover(codes[:6], codes[6:])
        assert (len(cover.cubes), n_literals(cover.cubes)) == smallest(codes[:6], codes[6:])


@pytest.mark.parametrize("H", [3, 5, 7, 10])
def test_threshold_functions_have_unate_prime_covers(H):
    """The smallest cover of a full threshold function is of prime cubes in the signs of its weights."""
    rng = np.random.default_rng(H)
    weights = rng.standard_normal(H)
    codes = all_codes(H)
    holds = codes @ weights >= 0.5 * rng.standard_normal()
    cover = shortest_cover(codes[holds], codes[~holds])
    assert cover.minimal
    assert_covers(cover.cubes, codes[holds], codes[~holds])
    assert (cover.cubes * np.sign(weights) >= 0).all()
    for cube in cover.cubes:  # prime: without any of its literals it would hold a negative code
        for place in np.flatnonzero(cube):
            larger = cube.copy()
            larger[place] = 0
            assert inside(larger[None], codes[~holds]).any()


def test_parity_needs_each_code():
    codes = all_codes(4)
    odd = codes.prod(axis=1) < 0
    cover = shortest_cover(codes[odd], codes[~odd])
    assert (len(cover.cubes), n_literals(cover.cubes), cover.minimal) == (8, 32, True)


def test_among_equals_literals_have_the_preferred_sign():
    positive, negative = [[1, -1]], [[-1, 1]]
    assert shortest_cover(positive, negative).cubes.tolist() == [[1, 0]]
    assert shortest_cover(positive, negative, prefer=[-1, -1]).cubes.tolist() == [[0, -1]]


def test_without_codes_of_one_kind_nothing_or_everything_is_covered():
    none = np.empty((0, 3))
    assert shortest_cover(none, [[1, 1, 1]]).cubes.shape == (0, 3)
    assert shortest_cover([[1, 1, 1]], none).cubes.tolist() == [[0, 0, 0]]


def test_codes_of_bool_are_those_of_signs():
    codes = all_codes(3)
    holds = codes.sum(axis=1) > 0
    of_signs = shortest_cover(codes[holds], codes[~holds])
    of_bools = shortest_cover(codes[holds] > 0, codes[~holds] > 0)
    np.testing.assert_array_equal(of_signs.cubes, of_bools.cubes)


def test_greedy_covers_are_right_prime_and_not_far_from_the_smallest(monkeypatch):
    rng = np.random.default_rng(1)
    codes = np.unique(rng.choice([-1, 1], size=(150, 8)), axis=0)
    holds = codes @ rng.standard_normal(8) >= 0
    exact = shortest_cover(codes[holds], codes[~holds])
    monkeypatch.setattr(boolean, "MOST_PAIRS", 0)
    greedy = shortest_cover(codes[holds], codes[~holds])
    assert exact.minimal
    assert not greedy.minimal
    assert_covers(greedy.cubes, codes[holds], codes[~holds])
    assert len(exact.cubes) <= len(greedy.cubes) <= 1.5 * len(exact.cubes)
    monkeypatch.setattr(boolean, "MOST_CELLS", (0, 0))
    quick = shortest_cover(codes[holds], codes[~holds])
    assert_covers(quick.cubes, codes[holds], codes[~holds])
    assert len(quick.cubes) >= len(greedy.cubes)


def test_any_budget_that_runs_out_leaves_a_right_cover(monkeypatch):
    rng = np.random.default_rng(2)
    codes = np.unique(rng.choice([-1, 1], size=(60, 9)), axis=0)
    holds = rng.random(len(codes)) < 0.5
    for name in ("MOST_STEPS", "MOST_CUBES", "MOST_DIFFERENCES"):
        with monkeypatch.context() as patch:
            patch.setattr(boolean, name, 3)
            cover = shortest_cover(codes[holds], codes[~holds])
        assert_covers(cover.cubes, codes[holds], codes[~holds])
        assert not cover.minimal


def test_thousands_of_long_codes_are_covered_twice_alike():
    rng = np.random.default_rng(3)
    codes = np.unique(rng.choice([-1, 1], size=(3000, 100)), axis=0)
    holds = codes @ rng.standard_normal(100) >= 0
    first, second = (shortest_cover(codes[holds], codes[~holds]) for _ in range(2))
    assert_covers(first.cubes, codes[holds], codes[~holds])
    np.testing.assert_array_equal(first.cubes, second.cubes)
    assert len(first.cubes) < 200


@pytest.mark.parametrize(
    ("positive", "negative", "prefer", "message"),
    [
        ([[1, 1]], [[1, 1]], None, "either positive or negative"),
        ([[1, 1]], [[1, 1, -1]], None, "one length, got 2 and 3"),
        ([1, 1], [[1, 1]], None, "positive must have the shape"),
        ([[1, 1]], [[1, -1]], [1], "prefer must have 2 signs"),
    ],
)
def test_bad_codes_are_refused(positive, negative, prefer, message):
    with pytest.raises(ValueError, match=message):
        shortest_cover(positive, negative, prefer)
