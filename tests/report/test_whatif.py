"""The what-if panel: in a real browser it answers as the model does, and is one that everybody can use."""

import shutil

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, load_penguins, load_pima_diabetes
from netlines.inspection.answers import Answers
from netlines.network.network import PASS_ON, Network
from netlines.report.whatif import as_script_text, panel

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
STATUS = "document.querySelector('[role=status]').textContent"
HOSTILE = "</script><img src=x onerror=alert(1)>"

# Months and columns that training had not or had no use for are told of, here on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::netlines.tables.encode.TableWarning")
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")


def mixed_table(n=240):
    """Return a table with all that a column may be: whole numbers, decimals, gaps, lists, dates, clocks."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "dose": rng.normal(3.0, 1.0, n).round(2),
            "hue": rng.choice(["Tile red", "green", "blue"], n),
            "smoker": rng.choice([True, False], n),
            "visit": pd.Timestamp("2023-02-01") + pd.to_timedelta(rng.integers(0, 500, n), "D"),
            "stamp": 1.7e9 + rng.integers(0, 900, n),
            "level": rng.choice([1.5, 2.5], n),
        }
    )
    z = (X["age"] - 50) / 20 + X["dose"] - 3 + (X["hue"] == "Tile red") + rng.normal(0, 0.7, n)
    y = np.where(z > 0.3, "ill", "well")
    X.loc[(y == "ill") & (rng.random(n) < 0.5), "dose"] = np.nan  # telling gaps: an input of their own
    X.loc[rng.random(n) < 0.1, "age"] = np.nan
    return X, y


def _unit():
    X, y = load_pima_diabetes(return_X_y=True, as_frame=True)
    return NetLinesClassifier(max_hidden=1, probability=True, random_state=0).fit(X, y), X


def _grown():
    X, y = load_pima_diabetes(return_X_y=True, as_frame=True)
    return NetLinesClassifier(probability=True, random_state=0).fit(X, y), X


def _priors():
    clf, X = _unit()
    return clf.set_priors([0.8, 0.2]), X


def _iris(scheme, probability=True, priors=None):
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = NetLinesClassifier(multiclass=scheme, probability=probability, random_state=0).fit(X, y)
    return (clf if priors is None else clf.set_priors(priors)), X


def _mixed(probability=True):
    X, y = mixed_table()
    return NetLinesClassifier(max_hidden=3, probability=probability, random_state=0).fit(X, y), X


def _penguins():
    X, y = load_penguins(return_X_y=True)
    return NetLinesClassifier(max_hidden=4, probability=True, random_state=0).fit(X, y), X


def _chosen(load, **how):
    X, y = load(return_X_y=True, as_frame=True)
    return NetLinesClassifierCV(random_state=0, **how).fit(X, y), X


MODELS = {
    "unit": _unit,
    "chosen": lambda: _chosen(load_pima_diabetes),
    "chosen, shared": lambda: _chosen(load_iris, multiclass="shared"),
    "grown": _grown,
    "priors": _priors,
    "tree": lambda: _iris("tree"),
    "vote": lambda: _iris("vote"),
    "wta": lambda: _iris("wta"),
    "pairs": lambda: _iris("pairs"),
    "shared": lambda: _iris("shared"),
    "tree, priors": lambda: _iris("tree", priors=[0.6, 0.3, 0.1]),
    "shared, priors": lambda: _iris("shared", priors=[0.6, 0.3, 0.1]),
    "vote, no probability": lambda: _iris("vote", probability=False),
    "pairs, no probability": lambda: _iris("pairs", probability=False),
    "mixed": _mixed,
    "mixed, no probability": lambda: _mixed(probability=False),
    "penguins": _penguins,
}


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def open_panel(browser, tmp_path):
    """Return a function that shows a panel in a page, in which every error and every request is noted."""
    contexts = []

    def opened(html, **how):
        path = tmp_path / "page.html"
        head = '<meta charset="utf-8"><link rel="icon" href="data:,"><title>What if</title>'
        path.write_text(f'<!doctype html><html lang="en"><head>{head}</head><body>{html}</body>', "utf-8")
        contexts.append(browser.new_context(**how))
        page = contexts[-1].new_page()
        page.troubles, page.requests = [], []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda message: page.troubles.append(message.text))
        page.on("dialog", lambda dialog: page.troubles.append(dialog.message))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(path.as_uri())
        page.address = path.as_uri()
        return page

    yield opened
    for context in contexts:
        context.close()


def any_setting(one, rng, lacking):
    """Return a random setting of an attribute; `lacking` is how a value that is not there is said."""
    if rng.random() < 0.12:
        return lacking if one["gap"] else None
    if one["kind"] == "choice":
        return one["texts"][rng.integers(len(one["texts"]))]
    if one["kind"] == "date":
        low, high = (np.datetime64(one[end], "D") for end in ("low", "high"))
        return str(low + rng.integers(0, (high - low).astype(int) + 1))
    if one["whole"]:
        return int(rng.integers(one["low"], one["high"] + 1))
    return round(float(rng.uniform(one["low"], one["high"])), int(rng.choice([2, 12])))


def as_table(attributes, rows, X):
    """Return settings as rows of the user's own table."""
    words = {"no": False, "yes": True}
    columns = {}
    for k, one in enumerate(attributes):
        values = [None if row[k] is False else row[k] for row in rows]
        if one["name"] in X and X[one["name"]].dtype == bool:
            values = [words.get(value, value) for value in values]
        if one["name"] in X and X[one["name"]].dtype.kind in "iuf":
            values = [np.nan if value is None else float(value) for value in values]
        columns[one["name"]] = values
    return pd.DataFrame({name: columns.get(name, [X[name].iloc[0]] * len(rows)) for name in X})


def assert_answers_as_the_model(page, clf, X, n, lacking=False):
    attributes = page.evaluate("netlinesWhatif.attributes")
    rng = np.random.default_rng(7)
    rows = [[any_setting(one, rng, lacking) for one in attributes] for _ in range(n)]
    found = page.evaluate("rows => rows.map(netlinesWhatif.predict)", rows)
    table = as_table(attributes, rows, X)
    clf.set_params(missing="auto" if lacking is False else "integrate")
    assert [one["label"] for one in found] == [str(label) for label in clf.predict(table)]
    assert page.troubles == []
    if clf.network_.has_probability:
        p = np.array([one["p"] for one in found])
        assert np.abs(p - clf.predict_proba(table)).max() < 1e-9
    else:
        assert all(one["p"] is None for one in found)
        expected = Answers(clf.network_, clf._rows(table, incomplete=True))
        shares = [one["shares"] for one, lacks in zip(found, expected.lacking, strict=True) if lacks]
        assert np.abs(np.array(shares) - expected.shares).max() < 1e-6
    return rows


def assert_other_answers_are_given(page, clf, X, rows):
    """Check that each change that the panel names changes the answer to what it says, with a known value."""
    attributes = page.evaluate("netlinesWhatif.attributes")
    changed, told = [], []
    for row in rows:
        here = page.evaluate("row => netlinesWhatif.predict(row).label", row)
        for flip in page.evaluate("row => netlinesWhatif.flips(row)", row) or ():
            k, value = flip["attribute"], flip["value"]
            one = attributes[k]
            assert value in one["texts"] if one["kind"] == "choice" else one["low"] <= value <= one["high"]
            assert one["kind"] != "number" or not one["whole"] or value == int(value)
            changed.append([*row[:k], value, *row[k + 1 :]])
            told.append(page.evaluate("k => netlinesWhatif.classes[k]", flip["label"]))
            assert told[-1] != here
    assert len(told) > len(rows) / 2
    assert [str(label) for label in clf.predict(as_table(attributes, changed, X))] == told


@in_browser
def test_the_panel_answers_as_the_model(open_panel):
    clf, X = MODELS["mixed"]()
    page = open_panel(panel(clf, X[:5]))
    assert_answers_as_the_model(page, clf, X, 30, lacking=None)
    rows = assert_answers_as_the_model(page, clf, X, 30)
    assert_other_answers_are_given(page, clf, X, rows[:10])
    # A T is no sign of a date.
    page = open_panel(panel(clf, X[X["hue"] == "Tile red"][:1]))
    assert "hue Tile red" in " ".join(page.locator(".wi-reasons").inner_text().split())


@in_browser
@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_panel_answers_as_the_model_to_many_settings(open_panel, name):
    clf, X = MODELS[name]()
    page = open_panel(panel(clf, X[:5]))
    assert_answers_as_the_model(page, clf, X, 200, lacking=None)
    rows = assert_answers_as_the_model(page, clf, X, 200)
    assert_other_answers_are_given(page, clf, X, rows[:20])


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer_wisconsin(return_X_y=True, as_frame=True)
    return NetLinesClassifier(max_hidden=1, probability=True, random_state=0).fit(X, y), X


@in_browser
def test_reasons_and_other_answers_are_those_of_the_model(open_panel, cancer):
    clf, X = cancer
    page = open_panel(panel(clf, X[:5]))
    attributes = page.evaluate("netlinesWhatif.attributes")
    names = [one["name"] for one in attributes]
    n_flips = 0
    for row in X.sample(12, random_state=1)[names].to_numpy().tolist():
        here = pd.DataFrame([row], columns=names)[list(X)]
        label, score = clf.predict(here)[0], clf.decision_function(here)[0]
        for reason in page.evaluate("row => netlinesWhatif.reasons(row)", row):
            usual = here.assign(**{names[reason["attribute"]]: attributes[reason["attribute"]]["usual"]})
            lost = (score - clf.decision_function(usual)[0]) * (1 if label == clf.classes_[1] else -1)
            assert reason["effect"] == pytest.approx(lost, abs=1e-9)
        flips = page.evaluate("row => netlinesWhatif.flips(row)", row)
        assert flips == sorted(flips, key=lambda one: one["distance"])
        nearest = {flip["attribute"]: flip["value"] for flip in flips}
        for k, one in enumerate(attributes):
            values = np.arange(one["low"], one["high"] + 1)
            others = here.loc[[0] * len(values)].assign(**{one["name"]: values})
            steps = np.abs(values[clf.predict(others) != label] - row[k])
            assert (k in nearest) == (len(steps) > 0)
            assert k not in nearest or abs(nearest[k] - row[k]) == steps.min()
        n_flips += len(flips)
    assert n_flips > 12


@in_browser
def test_the_panel_is_used_by_keyboard_and_named_for_screen_readers(open_panel, cancer):
    clf, X = cancer
    page = open_panel(panel(clf, X[:5], names=[f"row {k}" for k in range(5)]))
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    roles = ("slider", "spinbutton", "checkbox", "combobox", "button")
    used = [node for node in tree if not node["ignored"] and node["role"]["value"] in roles]
    spoken = [(node["role"]["value"], node["name"]["value"]) for node in used]
    assert len(spoken) >= 3 * X.shape[1]
    assert all(name.strip() for _, name in spoken)
    assert len(set(spoken)) == len(spoken)
    names = page.evaluate("netlinesWhatif.names")
    first = page.evaluate("netlinesWhatif.attributes[0]")
    slider = page.get_by_role("slider", name=f"{first['name']}, slider", exact=True)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert slider.evaluate("one => one === document.activeElement && one.matches(':focus-visible')")
    for key, value in (("End", first["high"]), ("ArrowLeft", first["high"] - 1), ("Home", first["low"])):
        page.keyboard.press(key)
        assert page.evaluate("netlinesWhatif.settings[0]") == value
        row = page.evaluate("netlinesWhatif.settings")
        here = pd.DataFrame([row], columns=names)[list(X)]
        share = clf.predict_proba(here)[0].max()
        told = "more than 99.9\xa0%" if share > 0.999 else f"{100 * share:.1f}\xa0%"
        said = f"The model answers {clf.predict(here)[0]} with a probability of {told}."
        page.wait_for_function(f"said => {STATUS} === said", arg=said)
    page.keyboard.press("Tab")  # the box for values that are not known
    page.keyboard.press("Space")
    assert page.evaluate("netlinesWhatif.settings[0]") is None
    page.wait_for_function(f"{STATUS}.includes('unknown')")
    page.get_by_role("button", name="another row").press("Enter")
    assert page.evaluate("netlinesWhatif.settings") == X.iloc[1][names].tolist()
    before = page.locator(".wi-headline").text_content()
    page.wait_for_function("!document.querySelector('.wi-flips').inert")
    page.locator(".wi-try").first.press("Enter")
    assert page.locator(".wi-headline").text_content() != before
    page.get_by_role("spinbutton", name=first["name"], exact=True).fill("630")
    warning = f"outside: training had {first['low']} to {first['high']}"
    assert page.locator(".wi-warning").text_content() == warning
    page.wait_for_function(f"{STATUS}.includes('Outside')")
    assert page.get_by_role("status").count() == 1
    page.get_by_role("button", name="reset").click()
    assert page.locator(".wi-warning").count() == 0
    assert page.troubles == []
    assert [one for one in page.requests if not one.startswith("data:")] == [page.address]


@in_browser
def test_hostile_names_and_labels_are_text(open_panel):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            HOSTILE: rng.normal(size=60),
            "__proto__": rng.choice([HOSTILE, "\u2028&amp;", '" onfocus="alert(2)'], 60),
            "constructor\u2029": rng.integers(0, 9, 60),
        }
    )
    y = np.where(X[HOSTILE] > 0, HOSTILE, "<b>bold</b>")
    clf = NetLinesClassifier(max_hidden=2, probability=True, random_state=0).fit(X, y)
    html = panel(clf, X[:2], names=[HOSTILE, "<i>row</i>"])
    assert html.count("</script>") == 2
    page = open_panel(html)
    assert page.locator("img, i > *, b > b").count() == 0
    assert page.locator(".wi-headline").text_content() in (HOSTILE, "<b>bold</b>")
    assert page.get_by_label(HOSTILE, exact=True).count() == 1
    assert_answers_as_the_model(page, clf, X, 20)
    assert [one for one in page.requests if not one.startswith("data:")] == [page.address]


@in_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_panel_fits_the_screen_and_paper(open_panel, cancer, width):
    clf, X = cancer
    page = open_panel(panel(clf, X[:1]), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.emulate_media(media="print")
    assert page.locator("#whatif-panel").inner_text().strip() == "The what-if panel works on a screen only."


@in_browser
def test_without_scripts_the_panel_says_so(open_panel, cancer):
    page = open_panel(panel(cancer[0]), java_script_enabled=False)
    assert "needs JavaScript" in page.locator("#whatif-panel").inner_text()


@in_browser
def test_ten_attributes_are_shown_and_more_values_may_be_unknown_than_can_be_integrated(open_panel):
    weights = np.r_[0.0, np.arange(1.0, 21.0)][None]
    page = open_panel(panel(Network(weights, PASS_ON, ["out", "in"])))
    shown = page.locator(".wi-field:visible")
    assert shown.count() == 10
    assert page.evaluate("netlinesWhatif.names[0]") == "x19"
    page.get_by_role("button", name="show all 20").click()
    assert shown.count() == 20
    for box in page.get_by_role("checkbox").all()[:13]:
        box.check()
    page.wait_for_function(f"{STATUS}.includes('at most 12')")
    assert page.locator(".wi-headline").text_content() == "—"
    assert page.troubles == []


def test_a_model_too_large_for_a_page_has_a_sentence():
    wide = Network(np.ones((1, 301)), PASS_ON, ["out", "in"])
    assert panel(wide) == "<p>The what-if panel is left out: the model has 300 attributes.</p>"
    rng = np.random.default_rng(0)
    deep = Network(rng.normal(size=(200, 61)), rng.normal(size=(1, 201)), ["out", "in"])
    assert panel(deep).endswith("too large for a page, with 200 hyperplanes and 60 attributes.</p>")


def test_texts_cannot_end_their_script():
    text = as_script_text({HOSTILE: "\u2028 <!--"})
    assert not set("<>&\u2028") & set(text)
