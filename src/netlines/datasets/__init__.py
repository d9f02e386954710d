"""The paper's problems in scikit-learn's manner: loaders of small tables, generators of endless ones."""

from netlines.datasets.generators import make_clumps, make_parity, make_teacher, make_waveform
from netlines.datasets.tables import (
    load_breast_cancer_wisconsin,
    load_iris,
    load_monks,
    load_pima_diabetes,
    load_sonar,
)

__all__ = [
    "load_breast_cancer_wisconsin",
    "load_iris",
    "load_monks",
    "load_pima_diabetes",
    "load_sonar",
    "make_clumps",
    "make_parity",
    "make_teacher",
    "make_waveform",
]
