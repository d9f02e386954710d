"""Pipelines of scikit-learn: the network of the last step as one of the columns that the first step gets.

`unfolded` is for other rooms; `values` and `steps` follow the columns, `assembly` and `background` come back.
"""

from netlines.inspection.pipelines.assembly import unfolded

__all__ = ["unfolded"]
