"""`NetLinesClassifier`: a network grown until no training error is left, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils._param_validation import StrOptions

from netlines.classifiers.growing import GrowingClassifier
from netlines.training.growth import Growth, Plan, Watch, grow
from netlines.training.shared import grow_shared
from netlines.training.task import Task


class NetLinesClassifier(GrowingClassifier):
    """Grow a network of binary neurons until it makes no training errors.

    Hidden units are added one by one, each a hyperplane trained by Minimerror to put right what the network
    so far gets wrong; a binary output unit reads their states. At each size all weights are also annealed
    together, so that the smallest network is found that learns the training set. Among networks with the
    same errors, and at most one unit more, the one is kept that answers most like a smooth teacher between
    the rows.

    Without contradictory rows (the same inputs in different classes) and limits, training always ends with
    zero errors; with them, with exactly the errors that no classifier can avoid. Only rows that weigh less
    than 10⁻⁵ of the heaviest row may be left wrong.

    More than two classes are learnt by several networks of two classes each that decide together, or by one
    hidden layer that they share; see `multiclass`.

    Parameters
    ----------
    max_hidden : int >= 1 or None, default=None
        Most hidden units, the paper's H_max; None for no limit.
    max_errors : int or float, default=0
        Training errors to accept, the paper's E_max: a count (int), or a share of the rows (float
        between 0 and 1). Of weighted rows the weights are summed instead.
    schedule : {"fast", "paper"}, default="fast"
        How single units are trained, see `MinimerrorClassifier`.
    refine : bool, default=True
        Whether to anneal whole networks. `refine=False` with `schedule="paper"` is the paper's own algorithm,
        but for stalls, which the sure step ends.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply `sample_weight`.
    probability : bool, default=False
        Whether to calibrate probabilities, by five more networks that each leave a fifth of the rows out.
    multiclass : {"vote", "tree", "wta", "shared", "pairs"}, default="vote"
        What to do with more than two classes. "tree": a tree of networks, see `TreeOfNetworksClassifier`;
        "vote": trees with different learning sequences vote, see `TreeVoteClassifier`, which has the most
        networks to train, (C + 1)(C - 1) at most; "wta": one network a class, the largest output wins, see
        `WinnerTakesAllClassifier`; "pairs": one network for each pair of classes, see `PairwiseClassifier`;
        "shared": one hidden layer with an output for each class, the largest wins. The limits hold for each
        network. With two classes it has no meaning.
    n_jobs : int or None, default=None
        Threads over independent starts, or over independent networks. The result does not depend on it.
    random_state : int, RandomState instance or None, default=0
        Decides everything random.
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
    classes_ : array of shape (C,)
        The labels; a network of two classes answers +1 for the second.
    network_ : Network or Networks
        The hidden weights (H, N + 1) and output weights (1, H + 1), or (C, H + 1) if C > 2 classes share the
        hidden layer, in the user's units, bias first; or several networks that decide together.
    networks_ : list of Part
        Each network, as `network`, with the labels that it answers +1 and -1 for, `positive` and `negative`.
    n_hidden_ : int
        Number of hidden units H, of all networks.
    n_weights_ : int
        H(N + 1) + H + 1, or N + 1 for a single unit, summed over the networks; H(N + 1) + C(H + 1) for a
        shared layer.
    n_training_errors_ : int
        Training rows that get a wrong answer.
    stop_reason_ : str
        Why growth ended.
    growth_trace_ : list of dict
        One record a unit: `n_hidden`, `origin` (what it was trained on or how it was found), `unit_errors`
        (its own errors on that target, None if units were trained together), `errors` (the network's),
        `temperature` (None if units were trained together), `epochs`. Of weighted rows the weights of the
        errors are summed. Several networks have their records one after the other, with its number as
        `network`; a shared layer has one a size that was kept.
    n_epochs_, n_updates_ : int
        Passes over the patterns, and weight updates, of everything that was tried.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : array of shape (n_features,)
        Their names, if X had names. What they became is in `network_.layout`.

    Notes
    -----
    H is at most 1 + 2(E₁ - E*), with E₁ the errors of the first unit and E* the unavoidable ones;
    `docs/paper.md` has the proof.

    Of the schemes for many classes the vote made the fewest test errors in the mean over two splits of seven
    tables with 3 to 11 classes, all networks error-free: 9.6 % with 1566 weights, pairs 10.1 % (771),
    winner-takes-all 10.6 % (394), a tree 11.2 % (249), a shared layer 13.6 % (228); `docs/multiclass.md`.

    See Also
    --------
    MinimerrorClassifier : one such unit.
    NetLinesClassifierCV : chooses the size for new rows.

    Examples
    --------
    >>> from netlines import NetLinesClassifier
    >>> from netlines.datasets import load_monks
    >>> X, y = load_monks(2, return_X_y=True)
    >>> clf = NetLinesClassifier().fit(X, y)
    >>> clf.n_hidden_, clf.n_weights_, clf.n_training_errors_
    (2, 39, 0)
    >>> clf.score(*load_monks(2, subset="test", return_X_y=True))
    1.0
    """

    _parameter_constraints: dict = {  # noqa: RUF012
        **GrowingClassifier._parameter_constraints,
        "refine": ["boolean"],
        "multiclass": [StrOptions({"vote", "tree", "wta", "shared", "pairs"})],
    }

    def __init__(
        self,
        max_hidden: int | None = None,
        max_errors: float = 0,
        *,
        schedule: str = "fast",
        refine: bool = True,
        class_weight: dict | str | None = None,
        probability: bool = False,
        multiclass: str = "vote",
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
        super().__init__(
            max_hidden,
            max_errors,
            schedule=schedule,
            class_weight=class_weight,
            probability=probability,
            multiclass=multiclass,
            n_jobs=n_jobs,
            random_state=random_state,
            categorical_features=categorical_features,
            numeric_features=numeric_features,
            date_features=date_features,
            drop_features=drop_features,
            only_features=only_features,
            strict=strict,
            missing=missing,
        )
        self.refine = refine

    def _grow(self, task: Task, plan: Plan, watch: Watch) -> Growth:
        plan = replace(plan, refine=bool(self.refine))
        return (grow_shared if task.answers.shape else grow)(task, plan, watch)
