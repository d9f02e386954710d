"""Put the steps of a pipeline into the network of its last step.

1. Follow the columns of the table through the steps: each input of the network is a weighted sum of what the
   table tells (`values`, `steps`), A · inputs + b.
2. Describe these new inputs as a `Layout` of the table.
3. Multiply the hidden weights by A; their sums, hence answers and probabilities, stay what they were.
4. Tell the background of the new inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.pipelines.background import background_of_table
from netlines.inspection.pipelines.steps import REMEDY, read_step
from netlines.inspection.pipelines.values import (
    CATEGORY,
    GAP,
    INPUT,
    NUMBER,
    OTHER,
    Cell,
    Source,
    Sum,
    Table,
    Unreadable,
    Value,
)
from netlines.network.background import Background
from netlines.network.frame import Frame
from netlines.network.layout import Column, Layout
from netlines.network.network import Network
from netlines.network.protocol import AnyNetwork
from netlines.network.sums import accurate_sums

NOT_USED = "not used by the pipeline"


def unfolded(pipeline: Any) -> AnyNetwork:
    """Return the network of a fitted pipeline as one of the columns of the table that the pipeline takes.

    It gives rows of this table the answers and the probabilities of the pipeline, up to rounding, if they
    have no category that the pipeline never saw. Its hidden weights do not have the norm √(N + 1): their sums
    are those of the network of the last step, which the calibration reads.

    Parameters
    ----------
    pipeline : fitted Pipeline of scikit-learn
        The last step is a fitted classifier of netlines. The others are scalers, SimpleImputer,
        MissingIndicator, OneHotEncoder, OrdinalEncoder of two categories, selections of columns,
        ColumnTransformer, FeatureUnion or pipelines; any other one is a `TypeError` that names it.

    Returns
    -------
    Network or Networks
        Its `layout` tells how the columns of the table become its inputs.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from netlines import NetLinesClassifier
    >>> from netlines.inspection.pipelines import unfolded
    >>> X, y = np.array([[150.0], [160.0], [180.0], [190.0]]), ["small", "small", "tall", "tall"]
    >>> network = unfolded(make_pipeline(StandardScaler(), NetLinesClassifier()).fit(X, y))
    >>> weights = network.hidden_weights[0]
    >>> (-weights[0] / weights[1]).round(3).item(), network.background.low.tolist()
    (170.0, [150.0])
    """
    *steps, (last, classifier) = pipeline.steps
    network = getattr(classifier, "network_", None)
    if not isinstance(network, AnyNetwork):
        raise TypeError(
            f"the last step {last!r} of the pipeline, {type(classifier).__name__}, has no `network_`; "
            "allowed are fitted classifiers of netlines"
        )
    steps = [(name, step) for name, step in steps if step not in (None, "passthrough")]
    if not steps:
        return network
    names, named = _columns_of(steps[0][1])
    table, values = Table(names), [Cell(i) for i in range(len(names))]
    read: list[Value] = list(values)
    for name, step in steps:
        read = read_step(table, step, read, name)
    sums = _inputs(table, network, read, last)
    layout, sources = _layout(table, sums, named, network.layout)
    return _folded(network, layout, sources, sums)


def _columns_of(step: Any) -> tuple[list[str], bool]:
    """Return the names of the columns that a fitted step takes, and whether they are the user's."""
    members = [one[1] for one in getattr(step, "transformer_list", getattr(step, "steps", ()))]
    for one in (step, *(member for member in members if not isinstance(member, str))):
        n = getattr(one, "n_features_in_", None)
        if n is not None:
            names = getattr(one, "feature_names_in_", None)
            return [f"x{i}" for i in range(n)] if names is None else list(map(str, names)), names is not None
    raise TypeError(
        f"{type(step).__name__}, the first step of the pipeline, does not tell its columns; {REMEDY}"
    )


def _inputs(table: Table, network: AnyNetwork, values: list[Value], last: str) -> list[Sum]:
    """Return the inputs of the network of the last step, made of the values that it gets."""
    layout = network.layout
    expected = network.n_features if layout is None else len(layout.names)
    if len(values) != expected:
        raise TypeError(
            f"the steps of the pipeline make {len(values)} columns, its last step {last!r} takes {expected}; "
            f"they cannot be read back; {REMEDY}"
        )
    if layout is None:
        return [table.number(value) for value in values]
    passed = ((values[layout.names.index(name)], why) for name, why in layout.left_out)
    table.left_out.update((value.column, why) for value, why in passed if isinstance(value, Cell))
    found: list[Sum] = []
    for column in layout.columns:
        try:
            found += _read_column(table, column, values[layout.names.index(column.origin)])
        except Unreadable as error:
            raise TypeError(
                f"the last step {last!r} of the pipeline cannot be read back to the columns of the table: "
                f"{error}; {REMEDY}"
            ) from None
    return found


def _read_column(table: Table, column: Column, value: Value) -> list[Sum]:
    """Return the inputs that a network makes of a value, which is a column of the table that it got."""
    own_way = column.part or (column.decimal != "." or column.kind == "boolean")
    if column.kind != "category" and not (own_way and isinstance(value, Cell) and not value.filled):
        if column.part:
            raise Unreadable(f"it takes {column.origin!r}, which was changed before, as a date")
        number = table.number(value)
        return [table.filled(number, column.fill), table.gap(value)] if column.gaps else [number]
    if isinstance(value, Sum) or (value.filled and column.part):
        raise Unreadable(f"it takes {column.origin!r}, which was changed before, as categories")
    if not own_way:
        every = [*column.categories, *([] if column.base is None else [column.base])]
        sums = table.indicators(value, [[one] for one in every], () if column.other else None)
        sums = sums[: len(column.categories)] + sums[len(every) :]
        return [*sums, table.gap(value)] if column.gaps else sums
    name = table.names[value.column]
    own = replace(column, name=column.name.replace(column.origin, name, 1), source=name)
    table.kept.setdefault(value.column, []).append(own)
    return [Sum({Source(value.column, INPUT, text): Fraction(1)}) for text in own.inputs]


def _layout(
    table: Table, sums: Sequence[Sum], named: bool, old: Layout | None
) -> tuple[Layout, list[Source]]:
    """Return the description of the table, and what each of its inputs tells."""
    used = {source for one in sums for source in one.terms}
    _refuse_double_use(table, used, {one.unknown for one in sums if one.terms and one.unknown is not None})
    columns: list[Column] = []
    sources: list[Source] = []
    left_out = []
    for i, name in enumerate(table.names):
        if not any(source.column == i for source in used):
            left_out.append((name, table.left_out.get(i, NOT_USED)))
            continue
        for column, own in _described(table, i, used):
            columns.append(column)
            sources += own
    layout = Layout(tuple(table.names), tuple(columns), tuple(left_out), named=named)
    if old is not None:
        layout = replace(layout, labels=old.labels)
    if wrong := layout.wrong():
        raise TypeError(f"the pipeline cannot be read back to the columns of the table: {wrong}; {REMEDY}")
    return layout, sources


def _described(table: Table, i: int, used: set[Source]) -> list[tuple[Column, list[Source]]]:
    """Return what a column of the table becomes, and what each of its inputs tells."""
    name, gaps = table.names[i], i in table.gaps
    if i in table.kept:
        return [(one, [Source(i, INPUT, text) for text in one.inputs]) for one in table.kept[i]]
    gap = [Source(i, GAP)] if gaps else []
    if Source(i, NUMBER) in used:
        fill = table.fills.get(i, 0.0) if gaps else None
        return [(Column(name, "number", gaps=gaps, fill=fill), [Source(i, NUMBER), *gap])]
    texts, rest = table.categories.get(i, ((), None))  # of which nothing is taken but where gaps are
    own = [Source(i, CATEGORY, text) for text in texts]
    unused = [source for source in own if source not in used]
    base = None
    if len(own) == 2 and len(unused) == 1 and rest is None and not gaps:
        base = unused[0].text
        own.remove(unused[0])
    other = ""
    if rest is not None:
        words = ("other", "any other", "(other)", "none of these")
        other = next(word for word in words if word not in {*texts, *rest})
        own.append(Source(i, OTHER))
    kept = tuple(source.text for source in own if source.what == CATEGORY)
    return [(Column(name, "category", categories=kept, base=base, other=other, gaps=gaps), own + gap)]


def _refuse_double_use(table: Table, used: set[Source], unknown: set[int]) -> None:
    """Raise an error if a column is taken in two ways that one description of it cannot tell."""
    numbers = {source.column for source in used if source.what == NUMBER}
    encoded = {source.column for source in used if source.what in (CATEGORY, OTHER)}
    kept = {source.column for source in used if source.what == INPUT}
    both = (numbers & (encoded | kept)) | (encoded & kept)
    for columns, what in (
        (both, "as a number and as categories"),
        ((unknown | kept) & table.gaps, "with its gaps and with its gaps filled"),
    ):
        for i in sorted(columns)[:1]:
            name = table.names[i]
            raise TypeError(f"the pipeline takes column {name!r} {what}, which cannot be read back; {REMEDY}")


def _folded(network: AnyNetwork, layout: Layout, sources: list[Source], sums: Sequence[Sum]) -> AnyNetwork:
    """Return the network whose inputs are those of a layout, instead of sums of them."""
    places = {source: i for i, source in enumerate(sources)}
    A = np.zeros((len(sums), len(sources)))
    for row, one in zip(A, sums, strict=True):
        for source, weight in one.terms.items():
            row[places[source]] += float(weight)
    b = np.array([float(one.constant) for one in sums])

    def told(about: Background | None) -> Background | None:
        return None if about is None else background_of_table(about, layout, A, b)

    known = background_of_table(network.surroundings, layout, A, b)
    origin = _origin(known)
    shifts = _shifts(network, sums, places, origin)

    def folded(one: Network) -> Network:
        weights = one.hidden_weights.astype(float)
        bias = accurate_sums(np.tile(shifts, (len(weights), 1)), weights)
        return replace(
            one,
            hidden_weights=np.column_stack([bias, weights[:, 1:] @ A]),
            background=told(one.background),
            origin=origin if origin.any() else None,
            feature_names=None,
            layout=None,
        )

    bare = replace(network, background=None, layout=None)  # type: ignore[type-var]
    whole = bare.with_networks([folded(part.network) for part in network.parts])
    return replace(whole, background=known).with_layout(layout)  # type: ignore[type-var]


def _origin(about: Background) -> NDArray:
    """Return from where inputs count that are far from 0 for their range; 0 for others."""
    ends = np.where(np.isfinite(about.low) & np.isfinite(about.high), [about.low, about.high], 0.0)
    return Frame.of(ends).origin


def _shifts(network: AnyNetwork, sums: Sequence[Sum], places: dict[Source, int], origin: NDArray) -> NDArray:
    """Return what the old weights multiply where all new inputs are at their origin: rounded once."""
    old = np.zeros(len(sums)) if network.origin is None else network.origin
    found = []
    for one, zero in zip(sums, old.tolist(), strict=True):
        terms = (weight * Fraction(origin[places[source]]) for source, weight in one.terms.items())
        found.append(float(one.constant - Fraction(zero) + sum(terms, Fraction(0))))
    return np.array(found)
