"""`DomainDisplay`: how many rows of which class lie in each domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines._words import count
from netlines.inspection.domains import code_text
from netlines.inspection.inputs import as_data, network_of
from netlines.network.network import sign
from netlines.network.protocol import AnyNetwork
from netlines.plots.style import DARK, GREY, LIGHT, MINUS, area_style, class_name, new_axes, text_widths

MOST_SIGNS = 12  # of a code that is written
MOST_DOMAINS = 25  # bars; if there are more domains the last bar sums up the smallest
ROW, LETTERS = 0.26, 8.5  # height of a bar with its gap in inches, and size of letters in points
BOLD = 1.2  # how much wider bold letters are


class DomainDisplay:
    """Numbers of rows in each domain of the inputs, by their true class.

    The hyperplanes of the hidden units divide the space of the inputs into domains. Each has a code, the
    states of the units in it, which decides about the answer. There is a bar for each domain that has rows,
    under the heading of the class that is answered there, the longest first. Where the answer is not a matter
    of the code alone, with changed priors or where networks compare their margins, a domain may be under
    several headings.

    The code is that of all hidden units; of several networks with more than 12 in all it is what each network
    answers. Domains with a still longer code bear numbers.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    names : sequence of D str
        What to write for each domain.
    answers : array-like of D int
        The numbers of the classes that are answered.
    counts : array-like of shape (D, C)
        Rows of each true class.
    classes : array-like of C labels
    what : str, default="code"
        What the names are.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    bars_ : list of matplotlib BarContainer
        The rows of each true class that there are, from top to bottom.
    texts_ : list of matplotlib Text
        The number of rows and of wrong answers beside each bar.
    headings_ : list of matplotlib Text
        What is answered in the domains below.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines.network.network import Network
    >>> from netlines.plots import DomainDisplay
    >>> band = Network([[-1.0, 1.0], [2.0, -1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"])  # in from 1 to 2
    >>> X, y = [[0.0], [1.2], [1.5], [2.5], [9.0]], ["out", "in", "in", "out", "in"]
    >>> display = DomainDisplay.from_network(band, X, y)
    >>> [text.get_text() for text in display.headings_]
    ['answered out: 3 rows, 1 wrong', 'answered in: 2 rows']
    >>> [text.get_text() for text in display.texts_]
    ['2, 1 wrong', '1', '2']
    """

    def __init__(
        self,
        *,
        names: Sequence[str],
        answers: ArrayLike,
        counts: ArrayLike,
        classes: ArrayLike,
        what: str = "code",
    ) -> None:
        self.names = list(names)
        self.answers = np.asarray(answers)
        self.counts = np.asarray(counts)
        self.classes = np.asarray(classes)
        self.what = what
        expected = (len(self.names), len(self.classes))
        if self.counts.shape != expected or self.answers.shape != expected[:1]:
            raise ValueError(
                f"counts must have shape {expected} and answers {expected[:1]} for {expected[0]} names and "
                f"{expected[1]} classes, got {self.counts.shape} and {self.answers.shape}"
            )

    @classmethod
    def from_estimator(cls, estimator: Any, X: ArrayLike, y: ArrayLike, *, ax: Any = None) -> DomainDisplay:
        """Plot the domains of a classifier or network that rows lie in; `ax` is where, None a new figure."""
        network = network_of(estimator)
        rows, truth = as_data(network, X, y)
        codes, parts, what = _codes(network, rows)
        answers = network.answers(rows)
        domains, which = np.unique(np.column_stack([answers, codes]), axis=0, return_inverse=True)
        counts = np.zeros((len(domains), network.n_classes), dtype=int)
        np.add.at(counts, (which.ravel(), truth), 1)
        fullest = np.argsort(-counts.sum(axis=1), kind="stable")
        domains, counts = domains[fullest], counts[fullest]
        names = [_name(code, parts) for code in domains[:, 1:]]
        if codes.shape[1] > MOST_SIGNS:
            names, what = [str(number) for number in range(1, len(domains) + 1)], "domain"
        answered = domains[:, 0].astype(int)
        display = cls(names=names, answers=answered, counts=counts, classes=network.classes, what=what)
        return display.plot(ax=ax)

    from_network = from_estimator

    def plot(self, ax: Any = None) -> DomainDisplay:
        """Draw the bars; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure of a fitting height.
        """
        shown, rest = self._shown()
        answered = np.unique(self.answers[shown]).tolist()
        slots = len(shown) + 1.25 * len(answered) + (1.5 if len(rest) else 0)
        heads = [self._heading(number, int((self.answers[shown] == number).sum())) for number in answered]
        names = max(text_widths([f"{len(rest)} more", *(self.names[i] for i in shown)], LETTERS))
        wide = max(4.2, 0.2 + BOLD * max(text_widths(heads, LETTERS)))
        self.ax_ = ax = new_axes(ax, figsize=(wide + names + 0.5, 1.0 + ROW * slots))
        self.figure_ = ax.figure
        self.headings_: list[Any] = []
        places, y = [], 0.0
        for number, head in zip(answered, heads, strict=True):
            own = shown[self.answers[shown] == number]
            looks = {"fontsize": LETTERS, "color": DARK, "va": "center", "weight": "bold"}
            looks |= {"transform": ax.get_yaxis_transform(), "parse_math": False}
            self.headings_.append(ax.text(0.01, y + 0.35, head, **looks))
            places += [y + 1 + k for k in range(len(own))]
            y += len(own) + 1.25
        order = np.concatenate([shown[self.answers[shown] == number] for number in answered])
        counts, wrong, labels = self.counts[order], self._wrong()[order], [self.names[i] for i in order]
        if len(rest):
            places.append(y + 0.5)
            counts = np.vstack([counts, self.counts[rest].sum(axis=0)])
            wrong = np.append(wrong, self._wrong()[rest].sum())
            labels.append(f"{len(rest)} more")
        self._draw_bars(np.array(places), counts, wrong)
        ax.set_yticks(places, labels, fontsize=LETTERS)
        ax.set_ylim(max(places) + 0.7, -0.3)
        self._label_axes()
        return self

    def _shown(self) -> tuple[NDArray, NDArray]:
        """Return which domains have a bar, by answer and from the fullest on, and which are summed up."""
        fullest = np.argsort(-self.counts.sum(axis=1), kind="stable")
        most = MOST_DOMAINS - (len(fullest) > MOST_DOMAINS)
        return fullest[:most], fullest[most:]

    def _wrong(self) -> NDArray:
        """Return the number of wrong answers in each domain."""
        return np.asarray(self.counts.sum(axis=1) - self.counts[np.arange(len(self.counts)), self.answers])

    def _heading(self, number: int, shown: int) -> str:
        """Say what is answered in some domains."""
        own = self.answers == number
        rows, wrong = int(self.counts[own].sum()), int(self._wrong()[own].sum())
        label = self.classes.tolist()[number]
        text = f"answered {label if isinstance(label, str) else class_name(label)}: {count(rows, 'row')}"
        text += f", {wrong} wrong" if wrong else ""
        return text + (f" ({shown} of {own.sum()} domains shown)" if shown < own.sum() else "")

    def _draw_bars(self, places: NDArray, counts: NDArray, wrong: NDArray) -> None:
        sizes = counts.sum(axis=1)
        # A bar of many domains may be far longer than all others: it is shortened, not they.
        scale = np.ones(len(sizes))
        if len(self.names) > MOST_DOMAINS and sizes[-1] > 1.5 * sizes[:-1].max():
            scale[-1] = 1.1 * sizes[:-1].max() / sizes[-1]
        self.bars_, left = [], np.zeros(len(places))
        for number in np.flatnonzero(counts.sum(axis=0)).tolist():
            looks = {**area_style(number), "label": class_name(self.classes.tolist()[number])}
            some = counts[:, number] > 0
            long = scale[some] * counts[some, number]
            self.bars_.append(self.ax_.barh(places[some], long, 0.72, left=left[some], zorder=2, **looks))
            left[some] += long
        self.texts_ = []
        for k, (rows, errors) in enumerate(zip(sizes, wrong, strict=True)):
            text = f"{rows}, {errors} wrong" if errors else str(rows)
            text += ", bar shortened" if scale[k] < 1 else ""
            looks = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": LETTERS}
            self.texts_.append(self.ax_.annotate(text, (left[k], places[k]), color=DARK, **looks))
        longest = max(text_widths([text.get_text() for text in self.texts_], LETTERS))
        self.ax_.set_xlim(0, left.max() * 4.0 / max(4.0 - longest - 0.2, 2.0))

    def _label_axes(self) -> None:
        from matplotlib.ticker import MaxNLocator

        ax = self.ax_
        ax.set_xlabel("rows")
        ax.set_ylabel(self.what)
        ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        ax.grid(axis="x", color=LIGHT, linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        names = [class_name(label) for label in self.classes.tolist()]
        columns = max(1, min(len(self.bars_), int(42 / (4 + max(map(len, names))))))
        place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "ncols": columns}
        title = {"title": "true class", "alignment": "left", "title_fontsize": LETTERS}
        legend = ax.legend(**place, **title, frameon=False, fontsize=LETTERS, borderaxespad=0.2)
        legend.get_title().set_color(GREY)


def _codes(network: AnyNetwork, rows: NDArray) -> tuple[NDArray, list[int], str]:
    """Return the codes of rows, of how many signs that of each network is, and what the codes are."""
    parts = [part.network for part in network.parts]
    if network.scheme is None or network.n_hidden <= MOST_SIGNS:
        return network.internal_representation(rows), [part.n_hidden for part in parts], "code"
    answers = np.column_stack([sign(part.decision(rows)) for part in parts])
    return answers, [1] * len(parts), "answers of the networks"


def _name(code: NDArray, parts: list[int]) -> str:
    """Write a code, those of several networks apart from each other."""
    pieces = np.split(code, np.cumsum(parts)[:-1])
    apart = "  " if max(parts) == 1 else " | "
    return apart.join(code_text(piece, " ", MINUS) for piece in pieces)
