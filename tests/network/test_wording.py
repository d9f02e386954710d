"""Networks in words and in notebooks: short texts say what matters most, and no name is ever HTML."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from netlines import NetLinesClassifier, extract_rules
from netlines._words import table_as_html, text_as_html
from netlines.inspection.domains import find_domains
from netlines.network.background import describe
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a&b</div></table>")
LABELS = ["</div><b>well", "<svg onload=alert(1)>"]


class Reader(HTMLParser):
    """Collects the tags, the attributes, and the text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text, self.open = set(), set(), "", []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def hostile_network():
    random = np.random.default_rng(0)
    weights = [[0.5, 1.0, -2.0, 0.3], [0.1, -1.0, 0.5, 2.0]]
    about = describe(random.normal(size=(40, 3)))
    return Network(weights, [[1.0, -1.0, -1.0]], LABELS, feature_names=HOSTILE, background=about)


def hostile_unit():
    return Network([[0.5, 1.0, -2.0, 0.3]], PASS_ON, LABELS, feature_names=HOSTILE)


def hostile_domains():
    rows = np.random.default_rng(1).normal(size=(30, 3))
    network = hostile_network()
    return find_domains(network, rows, network.predict(rows))


FORMS = {
    "network": hostile_network,
    "unit": hostile_unit,
    "networks": lambda: Networks(
        "tree",
        [*LABELS, "<i>c"],
        [
            Part([LABELS[0]], [LABELS[1], "<i>c"], hostile_unit()),
            Part([LABELS[1]], ["<i>c"], hostile_unit()),
        ],
        [(0, 1)],
    ),
    "rules": lambda: extract_rules(hostile_network()),
    "domains": hostile_domains,
}


@pytest.mark.parametrize("name", FORMS)
def test_notebooks_show_names_as_text(name):
    page = FORMS[name]()._repr_html_()
    found = Reader(page)
    assert found.tags <= {"div", "b", "table", "thead", "tbody", "tr", "th", "td"}
    assert found.attributes <= {"style"}
    assert found.open == []
    assert LABELS[0] in found.text
    if name != "domains":
        assert HOSTILE[0] in found.text
    assert "color" not in page.replace("border", "")


def test_fitted_classifiers_show_what_they_are_above_the_diagram():
    rows = np.random.default_rng(0).normal(size=(60, 2))
    clf = NetLinesClassifier(random_state=0)
    labels = np.where(rows[:, 0] > 0, *LABELS)
    before = clf._repr_html_()
    assert "weighted sum" not in before
    clf.fit(rows, labels)
    page = clf._repr_mimebundle_()["text/html"]
    assert re.search(r"<b>One weighted sum of \d attributes?, 3 weights", page)
    assert page.index("weighted sum") < page.index("sk-top-container")
    assert "<svg onload" not in page
    assert "_repr_html_" in dir(clf)


def test_lines_and_cells_keep_their_form():
    found = Reader(text_as_html("t<", "a\n    b & c"))
    assert found.text == "t<a    b & c"
    assert Reader(table_as_html("t", ["x", "n"], [["<", 1], ["b", 2]], "note")).text == "txn<1b2note"
    assert Reader(table_as_html("t", ["x", "n"], [])).text == "txn"


def test_printing_a_network_is_short_and_says_what_it_is():
    random = np.random.default_rng(0)
    network = Network(random.normal(size=(11, 167)), random.normal(size=(1, 12)), ["musk", "other"])
    text = str(network)
    assert text.startswith("11 hyperplanes over 166 attributes, 1,849 weights; classes 'musk' and 'other'\n")
    assert len(text.splitlines()) <= 16
    assert "… and 3 more hyperplanes" in text
    assert repr(network) == "Network(n_hidden=11, n_weights=1849, n_features=166, n_classes=2)"
    assert "array" not in text


def test_the_hyperplanes_with_the_largest_outputs_are_shown_first():
    network = Network(np.eye(20, 21), [[0.0, *range(1, 21)]], [0, 1])
    names = re.findall(r"^(h\d+):", str(network), flags=re.MULTILINE)
    assert names == [f"h{k}" for k in range(20, 12, -1)]


def test_categories_of_many_values_are_one_line():
    values = "abcdefgh"
    rows = np.eye(8)[np.random.default_rng(0).integers(0, 8, 300)]
    rows = np.column_stack([rows, np.random.default_rng(1).normal(size=(300, 3))])
    names = (*(f"hue={value}" for value in values), "x", "y", "z")
    unit = Network(
        [[0.0, *range(8), 0.1, np.pi / 10, 0.3]],
        PASS_ON,
        [0, 1],
        feature_names=names,
        background=describe(rows),
    )
    lines = str(unit).splitlines()
    (hue,) = (line for line in lines if "hue" in line)
    assert hue.strip() == "hue: +7 if h, +6 if g, +5 if f, +4 if e, … (3 more)"
    assert lines.index(hue) == 2


def test_weights_in_proportion_to_integers_are_points_and_whole_sums_have_whole_thresholds():
    rows = np.random.default_rng(0).integers(0, 4, (90, 3)).astype(float)
    about, names = describe(rows), ("a", "b", "c")
    unit = Network([[-1.3, 2.5, -4.0, 2.0]], PASS_ON, [0, 1], feature_names=names, background=about)
    assert re.findall(r"[+-]\d+ × [abc]", str(unit)) == ["-8 × b", "+5 × a", "+4 × c"]
    assert "at least 3, else 0" in str(unit)  # 5a - 8b + 4c ≥ 2.6
    told = 5 * rows[:, 0] - 8 * rows[:, 1] + 4 * rows[:, 2] >= 3
    np.testing.assert_array_equal(unit.predict(rows), told)
    compared = [Part([c], [d for d in "xyz" if d != c], unit) for c in "xyz"]
    assert "4·b" in str(Networks("wta", list("xyz"), compared))  # their sums are compared: as they are


def test_a_condition_without_a_positive_weight_is_turned_round():
    unit = Network([[6.0, -2.0, 0.0]], PASS_ON, [0, 1], feature_names=("a", "b"))
    assert "1 where  a ≤ 3, else 0" in str(unit)
    assert unit.predict(np.array([[3.0, 0.0], [3.1, 0.0]])).tolist() == [1, 0]


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e300])
def test_weights_of_any_size_are_written(size):
    for weights in ([[1.0, size, -2 * size]], [[size, 2 * size, 0.3 * size], [0.0, size, 3 * size]]):
        output = PASS_ON if len(weights) == 1 else [[0.5, 1.0, 1.0]]
        assert "where" in str(Network(weights, output, [0, 1]))
