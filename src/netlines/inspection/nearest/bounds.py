"""What hidden states that decide alone leave possible: the answers of some of them, the others being free."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.network.protocol import AnyNetwork

TIED = -1  # the number of the answer where a vote is tied: margins decide


class Codes:
    """What a network whose hidden states decide answers to them, to all or to a part of them."""

    def __init__(self, network: AnyNetwork) -> None:
        self.network = network
        if not network.trees:
            outputs = network.parts[0].network.class_outputs
            self.leads = outputs[:, None] - outputs  # of each class over each other
            return
        labels = network.classes.tolist()
        self.orders = np.array([[labels.index(label) for label in one] for one in network.learning_sequences])
        self.trees = np.array(network.trees)
        # All output units at once: a row for each part, the bias first.
        self.outputs = np.zeros((len(network.parts), 1 + network.n_hidden))
        end = 1
        for row, part in zip(self.outputs, network.parts, strict=True):
            start, end = end, end + part.network.n_hidden
            if part.network.n_hidden == 1:
                row[start] = 1.0
            else:
                row[0], row[start:end] = part.network.output_weights[0, 0], part.network.output_weights[0, 1:]

    def answer(self, code: NDArray) -> int:
        """Return the number of the class that the states of all units give, or `TIED`."""
        return int(self.network.answers_of_codes(code[None])[0])

    def possible(self, states: NDArray) -> NDArray[np.bool_]:
        """Return which classes the states of some units, 0 where they are free, leave possible, shape (C,).

        Of several trees a class must be able to get as many votes as any other has for certain.
        """
        if not self.network.trees:
            most = self.leads[..., 0] + self.leads[..., 1:] @ states
            most = most + np.abs(self.leads[..., 1:]) @ (states == 0)
            return np.asarray((most >= -1e-9 * np.abs(self.leads).sum(axis=2)).all(axis=1))
        middle = self.outputs[:, 0] + self.outputs[:, 1:] @ states
        sizes = np.abs(self.outputs)
        reach = sizes[:, 1:] @ (states == 0) + 1e-9 * sizes.sum(axis=1)
        minus, plus = (middle <= reach)[self.trees], (middle >= -reach)[self.trees]
        reached = np.insert(np.logical_and.accumulate(minus, axis=1), 0, True, axis=1)
        leaves = np.zeros((len(self.trees), self.network.n_classes), dtype=bool)
        ends = reached & np.insert(plus, plus.shape[1], True, axis=1)
        np.put_along_axis(leaves, self.orders, ends, axis=1)
        certain = (leaves & (leaves.sum(axis=1, keepdims=True) == 1)).sum(axis=0)
        return np.asarray(leaves.sum(axis=0) >= certain.max())
