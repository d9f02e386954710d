"""One self-contained HTML page about a fitted model: `write_report`.

`evidence` is what it is made of, `model`, `quality` and `rows` are its sections, `page` puts them together of
the pieces of `html`. From outside: these, `comparison` with other classifiers, and `parameters`.
"""

from netlines.report.write import write_report

__all__ = ["write_report"]
