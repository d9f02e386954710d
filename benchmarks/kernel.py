"""One pass over the patterns: the compiled kernel against numpy and against a plain read of the array.

Run with `python benchmarks/kernel.py`. All on one thread; the best of many interleaved repetitions.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

from time import perf_counter

import numpy as np

from netlines.training._kernel import one_pass

SHAPES = {(525, 10): 6.0, (200_000, 50): 3.0}  # rows × weights: wanted ratio to numpy
LARGE = (200_000, 50)
READ_GOAL = 0.5
COLD, THETA = 20.0, 6.0  # 1/T₊ and T₋/T₊ in the middle of an anneal
SECONDS = 4.0  # spent on each row of the table


def numpy_pass(X, tau, s, w, cold, hot):
    """Return the sum of Eq. (Minimerror.1), the errors and the largest window, as numpy users write them."""
    gamma = X @ w
    gamma *= tau
    gamma /= np.linalg.norm(w)
    wrong = gamma <= 0
    beta = np.where(wrong, hot, cold).astype(X.dtype, copy=False)
    window = 1 / np.cosh(beta * gamma / 2) ** 2
    return (s * tau * window) @ X, s[wrong].sum(), window.max()


def make_problem(rows, columns, dtype, rng):
    """Return patterns, targets of a noisy hyperplane, weights and the unit vector of the hyperplane."""
    X = rng.standard_normal((rows, columns)).astype(dtype)
    X[:, 0] = 1.0
    u = rng.standard_normal(columns)
    u /= np.sqrt(u @ u)
    tau = np.where(X @ u + 0.5 * rng.standard_normal(rows) > 0, 1.0, -1.0).astype(dtype)
    return X, tau, np.full(rows, 1.0 / rows), u


def best_times(calls):
    """Return the best seconds of each call, repeated in turn so that a busy machine hits all of them."""
    loops = []
    for call in calls:
        call()
        start = perf_counter()
        call()
        loops.append(max(1, int(2e-3 / (perf_counter() - start))))
    best = [np.inf] * len(calls)
    deadline = perf_counter() + SECONDS
    while perf_counter() < deadline:
        for i, call in enumerate(calls):
            start = perf_counter()
            for _ in range(loops[i]):
                call()
            best[i] = min(best[i], (perf_counter() - start) / loops[i])
    return best


def measure(rows, columns, dtype):
    """Check that both passes agree, then return the seconds of the kernel, of numpy and of `X.sum()`."""
    X, tau, s, u = make_problem(rows, columns, dtype, np.random.default_rng(0))
    folded = np.ascontiguousarray((X * tau[:, None]).T)
    gradient = np.empty(columns)
    hot = COLD / THETA

    errors_and_window = one_pass(folded, s, u, COLD, hot, 0.0, gradient)
    expected, *others = numpy_pass(X.astype(float), tau.astype(float), s, u, COLD, hot)
    np.testing.assert_allclose(gradient, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    np.testing.assert_allclose(errors_and_window, others, rtol=1e-10)

    s_own, u_own = s.astype(dtype), u.astype(dtype)
    return best_times(
        [
            lambda: one_pass(folded, s, u, COLD, hot, 0.0, gradient),
            lambda: numpy_pass(X, tau, s_own, u_own, COLD, hot),
            lambda: X.sum(),
        ]
    )


def main():
    """Print the table."""
    met = True
    print("One pass over the patterns, one thread, microseconds (best of many, interleaved)")
    row = "{:>15} {:>8} {:>9} {:>9} {:>9}   {:<22}{}"
    print(
        row.format("rows × weights", "type", "kernel", "numpy", "X.sum()", "numpy / kernel", "read / kernel")
    )
    for (rows, columns), goal in SHAPES.items():
        for dtype in (np.float64, np.float32):
            kernel, plain, read = seconds = measure(rows, columns, dtype)
            ratio, share = plain / kernel, read / kernel
            notes = [f"{ratio:.1f}×", f"{100 * share:.0f} %" if (rows, columns) == LARGE else ""]
            if dtype is np.float64:
                notes[0] += f" (goal ≥ {goal:g}×)"
                met &= ratio >= goal
                if (rows, columns) == LARGE:
                    notes[1] += f" (goal ≥ {100 * READ_GOAL:.0f} %)"
                    met &= share >= READ_GOAL
            shape = f"{rows:,} × {columns}"
            print(
                row.format(shape, np.dtype(dtype).name, *(f"{1e6 * t:.1f}" for t in seconds), *notes).rstrip()
            )
    print("all goals met" if met else "NOT all goals met")


if __name__ == "__main__":
    with np.errstate(over="ignore"):  # cosh² of patterns far from the hyperplane; their window is 0
        main()
