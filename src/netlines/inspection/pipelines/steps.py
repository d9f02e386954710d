"""Read the steps of a fitted scikit-learn pipeline: what they make of the columns of the table.

A step that makes no sums, or categories that `tables` would read otherwise, is an error that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from netlines.inspection.pipelines.values import (
    GAP,
    Source,
    Sum,
    Table,
    Unreadable,
    Value,
    as_cell,
    category_text,
    is_gap,
)

ALLOWED = (
    "StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, SimpleImputer, MissingIndicator, "
    "OneHotEncoder, OrdinalEncoder of two categories, selections of columns, ColumnTransformer, "
    "FeatureUnion, Pipeline, 'passthrough' and 'drop'"
)
REMEDY = "instead give pipeline[-1], and rows as it gets them, of pipeline[:-1].transform(X)"


def read_step(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    """Return what a fitted step makes of values; a step that cannot be read is an error that names it."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return values
    if isinstance(step, str) and step == "drop":
        return []
    kind = type(step)
    reader = _READERS.get(kind.__name__) if kind.__module__.partition(".")[0] == "sklearn" else None
    try:
        if reader is not None:
            return reader(table, step, values, path)
        if callable(getattr(step, "get_support", None)):
            return [values[i] for i in step.get_support(indices=True)]
        raise Unreadable(f"allowed are {ALLOWED}")
    except Unreadable as error:
        raise TypeError(
            f"the step {path!r} of the pipeline, {kind.__name__}, cannot be read back to the columns of the "
            f"table: {error}; {REMEDY}"
        ) from None


def _scaled(table: Table, values: list[Value], factors: Iterable, offsets: Iterable) -> list[Value]:
    pairs = zip(values, factors, offsets, strict=True)
    return [table.number(value).stretched(factor, offset) for value, factor, offset in pairs]


def _centred(table: Table, values: list[Value], centre: Any, scale: Any) -> list[Value]:
    """Return (value - centre)/scale, where None changes nothing."""
    n = len(values)
    centres = [Fraction(0)] * n if centre is None else [Fraction(float(one)) for one in centre]
    factors = [Fraction(1)] * n if scale is None else [1 / Fraction(float(one)) for one in scale]
    offsets = [-one * factor for one, factor in zip(centres, factors, strict=True)]
    return _scaled(table, values, factors, offsets)


def _standard(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    return _centred(
        table, values, step.mean_ if step.with_mean else None, step.scale_ if step.with_std else None
    )


def _robust(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    centre, scale = step.center_ if step.with_centering else None, step.scale_ if step.with_scaling else None
    return _centred(table, values, centre, scale)


def _largest(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    _refuse_clipping(step)
    return _centred(table, values, None, step.scale_)


def _between(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    _refuse_clipping(step)
    return _scaled(table, values, map(float, step.scale_), map(float, step.min_))


def _refuse_clipping(step: Any) -> None:
    if getattr(step, "clip", False):
        raise Unreadable("clip=True, which changes values beyond those of training; allowed is clip=False")


def _impute(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    if not is_gap(step.missing_values):
        raise Unreadable(f"missing_values={step.missing_values!r}; allowed are NaN, None and pandas.NA")
    found: list[Value] = []
    for value, fill in zip(values, step.statistics_.tolist(), strict=True):
        if is_gap(fill) and not step.keep_empty_features:
            continue  # a column without any value, which the imputer leaves out
        if isinstance(value, Sum):
            found.append(table.filled(value, fill))
        else:
            found.append(value if value.filled else table.fill(value.column, fill))
    return found + ([table.gap(values[i]) for i in step.indicator_.features_] if step.add_indicator else [])


def _indicate(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    if not is_gap(step.missing_values):
        raise Unreadable(f"missing_values={step.missing_values!r}; allowed are NaN, None and pandas.NA")
    return [table.gap(values[i]) for i in step.features_]


def _encode(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    found: list[Value] = []
    for i, (value, categories, rare) in enumerate(zip(values, step.categories_, _rare(step), strict=True)):
        categories, rare = list(categories), None if rare is None else list(rare)
        infrequent = {category_text(one) for one in rare or ()}
        groups = [[one] for one in categories if category_text(one) not in infrequent]
        sums = table.indicators(value, groups, rare)
        if step.drop_idx_ is not None and step.drop_idx_[i] is not None:
            dropped = category_text(categories[step.drop_idx_[i]])
            members = [[category_text(one) for one in group] for group in [*groups, rare or ()]]
            del sums[next(k for k, group in enumerate(members) if dropped in group)]
        found += sums
    return found


def _rare(step: Any) -> Sequence[Any]:
    """Return the infrequent categories of each column of an encoder, None where there are none."""
    return getattr(step, "infrequent_categories_", None) or [None] * len(step.categories_)


def _number_categories(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    found: list[Value] = []
    for value, categories, rare in zip(values, step.categories_, _rare(step), strict=True):
        present = [one for one in categories if not is_gap(one)]
        column, filled, _ = as_cell(value)
        if len(present) > 2 or rare is not None:
            few = f"{len(present)} categories, allowed are 2 (take a OneHotEncoder)"
            raise Unreadable(f"column {table.names[column]!r} has {few}")
        sums = table.indicators(value, [[one] for one in present])
        number = sums[-1] if len(present) == 2 else Sum({})
        if not filled and not any(Source(column, GAP) in one.terms for one in sums):
            number = replace(number, unknown=column)
        if len(present) < len(categories) and not is_gap(step.encoded_missing_value):
            number = table.filled(number, step.encoded_missing_value)
        found.append(number)
    return found


def _keep(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    if step.func is not None:
        name = getattr(step.func, "__name__", "a function")
        raise Unreadable(f"what {name} does is not known; allowed is func=None")
    return values


def _follow(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    for name, one in step.steps:
        values = read_step(table, one, values, f"{path}__{name}")
    return values


def _distribute(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    found: list[Value] = []
    for name, one, _ in step.transformers_:
        own = [values[i] for i in step._transformer_to_input_indices[name]]
        if own:  # else it was not fitted
            made = read_step(table, one, own, f"{path}__{name}")
            found += _weighted(table, step, name, made)
    return found


def _unite(table: Table, step: Any, values: list[Value], path: str) -> list[Value]:
    found: list[Value] = []
    for name, one in step.transformer_list:
        found += _weighted(table, step, name, read_step(table, one, values, f"{path}__{name}"))
    return found


def _weighted(table: Table, step: Any, name: str, values: list[Value]) -> list[Value]:
    weight = (step.transformer_weights or {}).get(name)
    return values if weight is None else [table.number(value).stretched(weight) for value in values]


_READERS: dict[str, Callable[[Table, Any, list[Value], str], list[Value]]] = {
    "StandardScaler": _standard,
    "RobustScaler": _robust,
    "MaxAbsScaler": _largest,
    "MinMaxScaler": _between,
    "SimpleImputer": _impute,
    "MissingIndicator": _indicate,
    "OneHotEncoder": _encode,
    "OrdinalEncoder": _number_categories,
    "FunctionTransformer": _keep,
    "Pipeline": _follow,
    "ColumnTransformer": _distribute,
    "FeatureUnion": _unite,
}
