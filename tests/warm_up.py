"""Compile what training needs, once, before the processes of `make test` start: they find it done."""

import numpy as np

from netlines import MinimerrorClassifier, NetLinesClassifier, NetLinesClassifierCV

X = np.random.default_rng(0).standard_normal((40, 2))
quadrants, half = X[:, 0] * X[:, 1] > 0, X[:, 0] > 0
for dtype in (np.float64, np.float32):
    NetLinesClassifier(max_hidden=3).fit(X.astype(dtype), quadrants)
    MinimerrorClassifier().fit(X.astype(dtype), half)
NetLinesClassifierCV(max_hidden=2, cv=2).fit(X, quadrants)
NetLinesClassifierCV(prefer="readable", cv=2).fit(np.rint(X), quadrants)
