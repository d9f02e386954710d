"""What texts mean: numbers however they are written, booleans, dates and times, and nothing at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# What pandas takes for a missing value, and what collections of tables write.
MISSING = frozenset(
    {"", "NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NaT"}
    | {"NULL", "null", "None", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "?", "<null>"}
)
MOST_DIGITS = 40  # of an ordinary number
BOOLEANS = {"true": 1.0, "false": 0.0}
EPOCH = datetime(1970, 1, 1)
MICROSECOND = timedelta(microseconds=1)

_INTEGER = re.compile(r"[+-]?\d{1,18}")
_CURRENCY = "[$€£¥₹₽₩₺]|USD|EUR|GBP|CHF|JPY|CNY|INR|BRL|AUD|CAD|SEK|NOK|DKK|PLN|CZK"
_SPELLED = re.compile(
    rf"(?P<sign>[+−-]?)(?P<before>{_CURRENCY})?\s?(?P<inner>[+−-]?)"
    rf"(?P<digits>\d[\d.,'’\s]*|[.,]\d+)(?P<power>[eE][+-]?\d{{1,3}})?\s?(?P<after>%|{_CURRENCY})?"
)
_BY_POINT = re.compile(r"(\d+|\d{1,3}(?:(?P<by>[,'’\s])\d{3})(?:(?P=by)\d{3})*)(?:\.(\d*))?|\.(\d+)")
_BY_COMMA = re.compile(r"(\d+|\d{1,3}(?:(?P<by>[.'’\s])\d{3})(?:(?P=by)\d{3})*)(?:,(\d*))?|,(\d+)")

_CLOCK = r"(?:[T\s]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?)?)?"
_ZONE = r"\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?"
_YEAR_FIRST = re.compile(
    rf"(?P<y>\d{{4}})(?P<by>[-/.])(?P<m>\d{{1,2}})(?P=by)(?P<d>\d{{1,2}}){_CLOCK}{_ZONE}"
)
_YEAR_LAST = re.compile(
    rf"(?P<a>\d{{1,2}})(?P<by>[-/.])(?P<b>\d{{1,2}})(?P=by)(?P<y>\d{{4}}|\d{{2}}){_CLOCK}"
)
_BY_NAME = re.compile(
    rf"(?:(?P<d>\d{{1,2}})[\s.-]+(?P<m>[A-Za-z]{{3,9}})\.?|(?P<m2>[A-Za-z]{{3,9}})\.?\s+(?P<d2>\d{{1,2}})),?"
    rf"[\s-]+(?P<y>\d{{4}}|\d{{2}}){_CLOCK}"
)
_COMPACT = re.compile(r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?:\.0)?")
_TIME = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.(?P<part>\d{1,9}))?)?")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class Numbers(NamedTuple):
    """Texts read as numbers: the values, the decimal sign, and a text that was written in an odd way."""

    values: NDArray[np.float64]
    decimal: str
    odd: str | None


def read_numbers(texts: Sequence[str], decimal: str | None = None) -> Numbers | None:
    """Return the numbers that texts are, or None if one is not.

    Thousands may be divided by commas, points, blanks or apostrophes, and all numbers may be of one currency
    or per cent. Without a decimal sign it is a point, unless only a comma makes numbers of all texts.

    Examples
    --------
    >>> from netlines.tables.numbers import read_numbers
    >>> read_numbers(["750,693", "1,200"]).values.tolist(), read_numbers(["3,5", "1.200"]).values.tolist()
    ([750693.0, 1200.0], [3.5, 1200.0])
    >>> read_numbers(["26 %", "3 %"]).odd, read_numbers(["26 %", "3"])
    ('26 %', None)
    """
    if decimal != "," and (plain := _plain_numbers(texts)) is not None:
        return Numbers(plain, ".", None)
    for sign in (decimal,) if decimal else (".", ","):
        found = _spelled_numbers(texts, sign)
        if found is not None:
            return found
    return None


def _plain_numbers(texts: Sequence[str]) -> NDArray[np.float64] | None:
    """Return the numbers that all texts are as Python writes them, None if one is none."""
    if max(map(len, texts), default=0) > MOST_DIGITS:  # an array would have so much room for each
        found = [plain_number(text) for text in texts]
        return None if None in found else np.array(found, dtype=float)
    try:
        numbers = np.array(texts, dtype=str).astype(float)  # faster than one by one
    except ValueError:
        return None
    return None if any("_" in text for text in texts) else numbers


def _spelled_numbers(texts: Sequence[str], decimal: str) -> Numbers | None:
    values, units, odd = [], set(), None
    for text in texts:
        plain = plain_number(text) if decimal == "." else None
        found = None if plain is not None else _SPELLED.fullmatch(text)
        if plain is None:
            plain = None if found is None else _spelled(found, decimal)
            if plain is None:
                return None
        unit = (found["before"] or found["after"]) if found else None
        odd = odd or (text if found and (unit or not _is_simple(text, decimal)) else None)
        units.add(unit)
        values.append(plain)
    mixed = units - {None}
    if len(mixed) > 1 or ("%" in mixed and len(units) > 1):
        return None
    return Numbers(np.array(values, dtype=float), decimal, odd)


def _is_simple(text: str, decimal: str) -> bool:
    return decimal == "," and plain_number(text.replace(",", ".")) is not None


def _spelled(found: re.Match[str], decimal: str) -> float | None:
    if (found["sign"] and found["inner"]) or (found["before"] and found["after"]):
        return None
    digits = (_BY_COMMA if decimal == "," else _BY_POINT).fullmatch(found["digits"].strip())
    if digits is None:
        return None
    whole = re.sub(r"\D", "", digits[1] or "0")
    sign = "-" if (found["sign"] or found["inner"]) in ("-", "−") else ""
    return float(f"{sign}{whole}.{digits[3] or digits[4] or '0'}{found['power'] or ''}")


def plain_number(text: str) -> float | None:
    """Return the number that a text is as Python writes it, None if it is none."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def read_booleans(texts: Sequence[str]) -> NDArray[np.float64] | None:
    """Return 1 for true and 0 for false, in any case of letters, or None if a text is neither."""
    found = [BOOLEANS.get(text.lower()) for text in texts]
    return None if None in found or not found else np.array(found, dtype=float)


def read_labels(texts: Sequence[str]) -> NDArray:
    """Return labels in the narrowest type that all can be read as: booleans, integers, numbers or texts.

    Examples
    --------
    >>> from netlines.tables.numbers import read_labels
    >>> [read_labels(texts).dtype.kind for texts in (["1", "-2"], ["1", "2.5"], ["1", "x"])]
    ['i', 'f', 'U']
    """
    levels = list(dict.fromkeys(texts))
    if (flags := read_booleans(levels)) is not None:
        own: NDArray = flags.astype(bool)
    elif all(map(_INTEGER.fullmatch, levels)):
        own = np.array([int(text) for text in levels])
    else:
        numbers = [plain_number(text) for text in levels]
        own = np.array(levels if None in numbers else numbers)
    position = {text: k for k, text in enumerate(levels)}
    return own[[position[text] for text in texts]]


class Moments(NamedTuple):
    """Texts read as dates: microseconds from 1970 on, and how, if days and months might be exchanged.

    `order` is what came first where both are numbers before the year, "day" or "month"; else "".
    """

    values: NDArray[np.int64]
    doubt: str | None = None
    order: str = ""


def read_moments(texts: Sequence[str], *, compact: bool = False, order: str = "") -> Moments | None:
    """Return the dates, with times or without, that texts are, or None if one is not.

    Year first, or day and month first (which of them comes first is told by numbers above 12, else by the
    sign between them: a slash for the month first), or with the month's name. With `compact` also 20240131.
    An `order`, "day" or "month", that was found before is kept to.

    Examples
    --------
    >>> from netlines.tables.numbers import read_moments
    >>> (read_moments(["2024-03-01", "1970-01-02"]).values / 86_400e6).tolist()
    [19783.0, 1.0]
    >>> read_moments(["1/2/2024"]).doubt
    'month/day/year'
    """
    found = [_match_moment(text, compact) for text in texts]
    if not found or None in found:
        return None
    numeric = [one for one in found if one and one.re is _YEAR_LAST]
    month_first, doubt = order == "month", None
    if numeric and not order:
        first, second = ([int(one[k]) for one in numeric] for k in ("a", "b"))
        by = {one["by"] for one in numeric}
        unclear = max(first) <= 12 and max(second) <= 12
        month_first = max(second) > 12 or (unclear and by == {"/"})
        if unclear and first != second:
            names = ("month", "day", "year") if month_first else ("day", "month", "year")
            doubt = numeric[0]["by"].join(names)
    try:
        values = [_microseconds(one, month_first) for one in found if one]
    except (ValueError, OverflowError):
        return None
    told = ("month" if month_first else "day") if numeric else order
    return Moments(np.array(values, dtype=np.int64), doubt, told)


def _match_moment(text: str, compact: bool) -> re.Match[str] | None:
    for pattern in (_YEAR_FIRST, _YEAR_LAST, _BY_NAME, *([_COMPACT] if compact else [])):
        if found := pattern.fullmatch(text):
            return found
    return None


def _microseconds(found: re.Match[str], month_first: bool) -> int:
    parts = found.groupdict()
    if found.re is _YEAR_LAST:
        day, month = (parts["b"], parts["a"]) if month_first else (parts["a"], parts["b"])
    else:
        day, month = parts["d"] or parts["d2"], parts["m"] or parts["m2"]
    if not month.isdigit():
        month = MONTHS.index(month[:3].capitalize()) + 1
    year = int(parts["y"])
    if len(parts["y"]) == 2:
        year += 1900 if year >= 70 else 2000
    moment = datetime(year, int(month), int(day)) + timedelta(hours=_hours(parts, 24))
    micro = (moment - EPOCH) // MICROSECOND
    zone = parts.get("zone")
    if zone and zone[0] in "+-":
        ahead = int(zone[1:3]) * 60 + int(zone[-2:])
        micro -= (ahead if zone[0] == "+" else -ahead) * 60_000_000
    return micro


def _hours(parts: dict[str, str | None], below: int) -> float:
    """Return the time of day in hours; a `ValueError` if there is none such."""
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    if hour >= below or minute > 59 or second > 60:
        raise ValueError
    fraction = float(f"0.{parts.get('part') or 0}")
    return hour + minute / 60 + (second + fraction) / 3600


def read_times(texts: Sequence[str]) -> NDArray[np.float64] | None:
    """Return times of day as hours, or None if a text is none.

    Examples
    --------
    >>> from netlines.tables.numbers import read_times
    >>> read_times(["06:30", "23:15:00"]).tolist()
    [6.5, 23.25]
    """
    found = [_TIME.fullmatch(text) for text in texts]
    if not found or None in found:
        return None
    try:
        return np.array([_hours(one.groupdict(), 24) for one in found if one], dtype=float)
    except ValueError:
        return None


def microseconds_of(moment: date) -> int:
    """Return the microseconds from 1970 on of a date, of midnight if it has no time, in UTC if it has a zone.

    Examples
    --------
    >>> from datetime import date
    >>> from netlines.tables.numbers import microseconds_of
    >>> microseconds_of(date(1970, 1, 2))
    86400000000
    """
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return (moment - EPOCH) // MICROSECOND


def hours_of(clock: time) -> float:
    """Return a time of day in hours."""
    return clock.hour + clock.minute / 60 + (clock.second + clock.microsecond / 1e6) / 3600
