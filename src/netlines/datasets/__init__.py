"""The paper's problems in scikit-learn's manner, and a raw table: loaders of tables, generators of others."""

from netlines.datasets.generators import make_clumps, make_parity, make_teacher, make_waveform
from netlines.datasets.penguins import load_penguins, penguins_file
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
    "load_penguins",
    "load_pima_diabetes",
    "load_sonar",
    "make_clumps",
    "make_parity",
    "make_teacher",
    "make_waveform",
    "penguins_file",
]
