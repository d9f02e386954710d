"""Files and data frames on one side, the inputs of a network on the other.

`files` reads and writes CSV and Parquet, `layout` says what each column of a table becomes. No scikit-learn;
from outside: both modules.
"""
