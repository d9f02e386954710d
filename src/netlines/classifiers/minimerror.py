"""`MinimerrorClassifier`: one binary neuron as a scikit-learn estimator."""

from __future__ import annotations

from functools import partial
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.utils._param_validation import Interval, Options, StrOptions

from netlines.classifiers.base import NetworkClassifier
from netlines.classifiers.calibration import calibrated
from netlines.classifiers.table import CONSTRAINTS
from netlines.network.network import PASS_ON, Network
from netlines.selection.data import Standardisation
from netlines.training.many import are_many, train_many
from netlines.training.minimerror import (
    INVERSE_TEMPERATURES,
    PORTFOLIO,
    TemperaturePath,
    Unit,
    paper_unit,
    train_unit,
    unit_path,
)
from netlines.training.patterns import condense_folded, fold_patterns, group_rows, standardise
from netlines.training.rows import Rows
from netlines.training.threads import in_order


class MinimerrorClassifier(NetworkClassifier):
    """Separate two classes by one hyperplane with as few training errors as possible.

    A single binary neuron trained by Minimerror: gradient descent on a cost that counts errors ever more
    sharply while the temperature falls, so that patterns ever closer to the hyperplane decide.

    Parameters
    ----------
    schedule : {"fast", "paper"}, default="fast"
        "fast": fourteen short anneals with preconditioned steps, momentum and different `theta`; the fewest
        errors win; of more than 10,000 distinct rows a part finds the start, those near it end the anneal.
        "paper": one long anneal exactly as the paper prints it.
    theta : float > 0 or None, default=None
        Ratio T₋/T₊ of the temperatures of wrong and right patterns; infinity lets every error count in
        full. None takes the schedule's own: 6 for "paper"; the portfolio for "fast"; 2 with a `temperature`.
    temperature : float between 1e-9 and 1e9 or None, default=None
        Stop the annealing at this temperature (in standardised units) and keep its weights. None anneals to
        the end and keeps the weights with the fewest errors, the coldest among equals.
    n_starts : int from 1 to 1,000,000, default=14
        Number of anneals of the schedule "fast", of at most 10,000 distinct rows.
    learning_rate : float > 0, default=0.02
        The paper's ε, for the schedule "paper".
    annealing_rate : float > 0, default=0.001
        The paper's δT⁻¹, for the schedule "paper".
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply `sample_weight`.
    probability : bool, default=False
        Whether to calibrate probabilities, by five more units that each leave a fifth of the rows out.
    n_jobs : int or None, default=None
        Threads over the anneals. The result does not depend on it.
    random_state : int, RandomState instance or None, default=0
        Decides the noise of the starts; with more distinct rows there is none.
    categorical_features : "from_dtype", names, numbers or mask of columns, or None, default="from_dtype"
        Columns that are categories. "from_dtype": those whose type says so. Texts always are, unless they are
        all numbers or dates.
    numeric_features, date_features, drop_features, only_features : names, numbers, mask or None, default=None
        Columns to take as numbers or as dates whatever they look like, columns to leave out, and the only
        columns to take (docs/tables.md).
    strict : bool, default=False
        Whether a category that training had not is an error; else it counts as "other", or as missing.
    missing : {"auto", "integrate", "error"}, default="auto"
        What missing values are. "auto": gaps that tell something of the class get one more input, which tells
        where they are; other gaps are unknown, expected in training and integrated over at prediction.
        "integrate": all gaps are. "error": an error (docs/missing.md).

    Attributes
    ----------
    classes_ : array of shape (2,)
        The labels; the unit answers +1 for the second.
    network_ : Network
        The unit as a network with one hidden unit.
    weights_ : array of shape (n_features + 1,)
        The hyperplane in the user's units, bias first, norm √(N + 1).
    n_weights_ : int
        N + 1.
    n_training_errors_ : int
        Training rows on the wrong side.
    temperature_ : float
        T₊ at which the weights were found, in standardised units.
    theta_ : float
        T₋/T₊ of the anneal that found them.
    n_epochs_, n_updates_ : int
        Passes over the patterns, and those times the number of weights.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : array of shape (n_features,)
        Their names, if X had names. What they became is in `network_.layout`.

    See Also
    --------
    NetLinesClassifier : grows a network of such units.

    Examples
    --------
    >>> from netlines import MinimerrorClassifier
    >>> from netlines.datasets import load_sonar
    >>> X, y = load_sonar(return_X_y=True)
    >>> unit = MinimerrorClassifier().fit(X, y)
    >>> unit.n_training_errors_, unit.n_weights_
    (0, 61)
    """

    _parameter_constraints: dict = {  # noqa: RUF012
        "schedule": [StrOptions({"fast", "paper"})],
        "theta": [Interval(Real, 0, 1e100, closed="right"), Options(Real, {np.inf}), None],
        "temperature": [Interval(Real, 1e-9, 1e9, closed="both"), None],
        "n_starts": [Interval(Integral, 1, 1_000_000, closed="both")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "annealing_rate": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "probability": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        **CONSTRAINTS,
    }

    _only_two = True

    def __init__(
        self,
        *,
        schedule: str = "fast",
        theta: float | None = None,
        temperature: float | None = None,
        n_starts: int = 14,
        learning_rate: float = 0.02,
        annealing_rate: float = 1e-3,
        class_weight: dict | str | None = None,
        probability: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        date_features: Any = None,
        drop_features: Any = None,
        only_features: Any = None,
        strict: bool = False,
        missing: str = "auto",
    ):
        self.schedule = schedule
        self.theta = theta
        self.temperature = temperature
        self.n_starts = n_starts
        self.learning_rate = learning_rate
        self.annealing_rate = annealing_rate
        self.class_weight = class_weight
        self.probability = probability
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_features = date_features
        self.drop_features = drop_features
        self.only_features = only_features
        self.strict = strict
        self.missing = missing

    def _most_subtasks(self) -> int | None:
        return 0

    def _fit(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> None:
        unit, units = self._train(X, labels, weights)
        plane, stretch = units.folded(unit.weights[None])
        network = self._network(plane, PASS_ON, unit.beta, origin=units.frame.offset)
        if self.probability:
            network = calibrated(self, network, X, labels, weights)
        self._set_network(network, X, labels, weights)
        self.weights_ = self.network_.hidden_weights[0]
        self._stretch = float(stretch[0])
        self.temperature_ = 1.0 / unit.beta if unit.beta else np.inf
        self.theta_ = unit.theta
        self.n_epochs_ = unit.epochs
        self.n_updates_ = unit.epochs * self.n_weights_

    def _with_network(self, network: Network, n_training_errors: int, rows: NDArray) -> Self:
        other = super()._with_network(network, n_training_errors, rows)
        other.weights_ = w = network.hidden_weights[0]
        rows = network.relative(rows)
        bias, slopes = w[0] + w[1:] @ rows.mean(axis=0), w[1:] * rows.std(axis=0)
        other._stretch = float(np.sqrt(bias**2 + (slopes**2).sum()))  # its length over standardised inputs
        return other

    def _train(self, X: NDArray, labels: NDArray, weights: NDArray) -> tuple[Unit, Standardisation]:
        """Return the unit of some rows, and the units in which it sees them."""
        X = np.ascontiguousarray(X)
        groups = group_rows(X, labels, weights)
        short = self.schedule == "fast" and self.temperature is None
        if short and are_many(len(groups.starts), X.shape[1] + 1) and groups.frame.is_ordinary:
            rows = Rows.of(X, groups)
            del groups
            return train_many(rows, self.theta), Standardisation(rows.mean, rows.scale, rows.frame)
        patterns = standardise(X, groups)
        return self._train_patterns(*fold_patterns(patterns)), Standardisation.of(patterns)

    def _train_patterns(self, X: NDArray, s: NDArray) -> Unit:
        coldest = None if self.temperature is None else 1.0 / self.temperature
        if self.schedule == "paper":
            return paper_unit(
                X,
                s,
                theta=6.0 if self.theta is None else self.theta,
                learning_rate=self.learning_rate,
                annealing_rate=self.annealing_rate,
                coldest=coldest,
                seed=self._seed(),
            )
        if coldest is not None:
            theta = 2.0 if self.theta is None else self.theta
            path, epochs = unit_path(X, s, np.array([coldest]), theta=theta)
            return Unit(path[0], float("nan"), coldest, theta, epochs)
        thetas = np.resize(PORTFOLIO if self.theta is None else [self.theta], int(self.n_starts))
        run = partial(in_order, n_threads=effective_n_jobs(self.n_jobs))
        return train_unit(X, s, seed=self._seed(), thetas=thetas, run=run)

    def confidence(self, X: ArrayLike) -> NDArray:
        """Return how sure the unit is of each answer, tanh(|γ|/2T), as the paper proposes.

        γ is the distance to the hyperplane in standardised units and T the temperature at which the weights
        were found: a unit that was annealed to the end is sure of nearly everything. `predict_proba` is
        calibrated instead.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
            Between 0, on the hyperplane, and 1.
        """
        rows = self._rows(X)
        stability = self.network_.fields(rows)[:, 0] / self._stretch
        return np.tanh(np.abs(stability) / (2.0 * self.temperature_))

    def temperature_path(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        temperatures: ArrayLike | None = None,
    ) -> TemperaturePath:
        """Return the weights of one anneal at falling temperatures: a regularisation path.

        Hot units change little with the single pattern, cold ones make few training errors; in between lies
        the best for new data. The estimator itself is not fitted.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        temperatures : array-like of positive numbers or None
            T₊ in standardised units; None takes nine from 1.25 to 0.03. `theta` (2 if None) as set.

        Returns
        -------
        TemperaturePath
        """
        self._validate_params()
        other = type(self)(**self.get_params())
        X, labels, weights = other._checked(X, y, sample_weight)
        betas = INVERSE_TEMPERATURES
        if temperatures is not None:
            temperatures = np.atleast_1d(np.asarray(temperatures, dtype=float))
            if not len(temperatures) or not ((temperatures >= 1e-9) & (temperatures <= 1e9)).all():
                raise ValueError(f"temperatures must be numbers between 1e-9 and 1e9, got {temperatures}")
            betas = np.sort(1.0 / temperatures)
        folded, s, patterns = condense_folded(X, labels, weights)
        path, _ = unit_path(folded, s, betas, theta=2.0 if self.theta is None else self.theta)
        errors = ((path @ folded <= 0) * s).sum(axis=1)
        units = Standardisation.of(patterns)
        return TemperaturePath(1.0 / betas, units.folded(path)[0], errors, patterns.frame.offset)
