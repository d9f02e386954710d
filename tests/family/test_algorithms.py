"""What holds for every algorithm of the family: only unavoidable errors, the same bits, documentation."""

import re
from inspect import signature

import numpy as np
import pytest
from any_tables import unavoidable
from example_tables import contradictory, plane, xor

from netlines import family
from netlines.classifiers.growing import GrowingClassifier

ALGORITHMS = [getattr(family, name) for name in family.__all__]
each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda one: one.__name__)


@each_algorithm
@pytest.mark.parametrize("load", [contradictory, plane, xor])
def test_it_ends_with_the_unavoidable_errors_and_always_with_the_same_bits(algorithm, load):
    X, y = load()
    one, other = algorithm().fit(X, y), algorithm(n_jobs=2).fit(X, y)
    assert one.n_training_errors_ == unavoidable(X, y)
    assert len(one.growth_trace_) == one.n_hidden_
    np.testing.assert_array_equal(other.network_.hidden_weights, one.network_.hidden_weights)


@each_algorithm
def test_it_only_says_how_one_network_grows(algorithm):
    assert "_grow" in vars(algorithm)
    assert not {"__init__", "fit", "_fit", "_parameter_constraints"} & set(vars(algorithm))
    assert signature(algorithm) == signature(GrowingClassifier)


@each_algorithm
def test_its_documentation_lists_every_parameter_and_what_is_fitted(algorithm):
    clf, text = algorithm().fit(*xor(40)), algorithm.__doc__
    fitted = [name for name in vars(clf) if name.endswith("_") and not name.startswith("_")]
    for name in [*clf.get_params(), *fitted]:
        assert re.search(rf"^(\w+, )*{name}\b.* : ", text, re.M), name
    assert text.index("Attributes\n---") < text.index("Notes\n---")
