"""One self-contained HTML page about a fitted model: `write_report`."""

from netlines.report.write import write_report

__all__ = ["write_report"]
