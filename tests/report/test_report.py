"""The report: one page that works offline, in a real browser, with what it promises in it."""

import contextlib
import hashlib
import re
import shutil
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from netlines import NetLinesClassifier, NetLinesClassifierCV, Network, write_report
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, make_parity
from netlines.export.model_file import read_model_file
from netlines.report import page as page_of
from netlines.report.evidence import gather
from netlines.report.html import Cell, table, to_svg
from netlines.report.page import make_page
from netlines.report.quality import by_class, confusion
from netlines.report.top import known_of, tiles

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
HEADINGS = [
    "What if",
    "The points",
    "The formula",
    "The rules",
    "The weights",
    "Rows and hyperplanes",
    "How it grew",
    "Errors",
    "Thresholds",
    "Probabilities",
    "Beside other classifiers",
    "Importance",
    "Values by class",
    "Groups of rows",
    "Sure and doubtful rows",
    "Missing values",
    "Regions",
    "The columns",
    "How to use it",
    "Model card",
    "Provenance",
    "Words",
]
# Texts that reach beyond the page, or beyond a box that hides what does not fit.
CUT_OFF = """[...document.querySelectorAll('main *')].filter(one => {
  if (one.childElementCount || !one.textContent.trim() || one.closest('svg, .scroll, script, style')) return;
  const box = one.getBoundingClientRect(), hides = getComputedStyle(one).overflowX === 'hidden';
  const beyond = box.right > innerWidth + 1 || box.left < -1;
  return box.width > 1 && (beyond || (hides && one.scrollWidth > one.clientWidth + 1));
}).map(one => one.outerHTML.slice(0, 100))"""
HINTS = """[...document.querySelectorAll('.scroll')].every(
  one => one.classList.contains('more') === one.scrollWidth > one.clientWidth + 1)"""
ONE_SUM = {"The rules", "The weights", "How it grew", "Regions"}  # which a single weighted sum does not have
SEVERAL = {"The points", "The formula"}  # which several hyperplanes do not have
NO_PROBABILITIES = {*SEVERAL, "Thresholds", "Probabilities"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory, fitted):
    """Reports of three problems: incomplete rows, a network without errors, three classes."""
    folder = tmp_path_factory.mktemp("reports")
    X, y = load_breast_cancer_wisconsin(incomplete="keep", return_X_y=True, as_frame=True)
    X, y = X[:300], y[:300]
    complete = X.notna().all(axis=1)
    clf = NetLinesClassifierCV(max_hidden=2, cv=2, random_state=0).fit(X[complete], y[complete])
    write_report(clf, X, y, folder / "cancer.html", title="Breast <cancer>", folds=2)
    write_report(*fitted("monks", "grown", as_frame=True), folder / "monks.html", folds=2)
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = NetLinesClassifierCV(teacher=None, random_state=0).fit(X, y)
    write_report(clf, X, y, folder / "iris.html", folds=2)
    return folder


@pytest.fixture(scope="module")
def iris_model(tmp_path_factory):
    """A folder with iris.csv with a constant column, model.json, measured in two folds, and a.html."""
    from netlines.cli import _run

    folder = tmp_path_factory.mktemp("iris")
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.assign(kind=y, constant=1).to_csv(folder / "iris.csv", index=False)
    fit = ["fit", str(folder / "iris.csv"), "--target", "kind", "-o", str(folder / "model.json")]
    assert _run([*fit, "--folds", "2", "--quiet", "--error-free"]) == 0
    with contextlib.chdir(folder):
        assert _run(["report", "model.json", "--data", "iris.csv", "-o", "a.html", "--folds", "0"]) == 0
    return folder


def headings(text):
    return re.findall(r"<h2[^>]*>([^<]+)</h2>", text)


@pytest.mark.parametrize(
    ("name", "absent"),
    [
        ("cancer", ONE_SUM),
        ("monks", NO_PROBABILITIES),
        ("iris", {*SEVERAL, "How it grew"}),
    ],
)
def test_a_report_has_every_section_that_its_model_has(pages, name, absent):
    text = (pages / f"{name}.html").read_text(encoding="utf-8")
    assert headings(text) == [one for one in HEADINGS if one not in absent]
    assert len(text.encode()) < 700_000
    assert text.count("<svg") >= 4


def test_a_report_has_no_links_to_elsewhere(pages):
    for page in pages.iterdir():
        text = re.sub(r'xmlns(:\w+)?="[^"]+"', "", page.read_text(encoding="utf-8"))
        assert not re.search(r"https?://|//[a-z]+\.|@import|<script[^>]* src|<iframe|<object", text)
        links = re.findall(r'(?:href|src)="([^"#]*)', text)
        assert all(link == "" or link.startswith("data:") for link in links)


def test_names_of_the_user_are_shown_and_escaped(pages):
    text = (pages / "cancer.html").read_text(encoding="utf-8")
    assert "Breast &lt;cancer&gt;" in text
    assert "Breast <cancer>" not in text
    assert "bare_nuclei" in text
    assert "The 12 rows that lack values" in text
    assert tiles_of(text)[3].endswith("12 more rows lack values")
    lacking = load_breast_cancer_wisconsin(incomplete="keep").data
    first = 1 + int(np.flatnonzero(np.isnan(lacking).any(axis=1))[0])
    assert re.search(rf'values</h3>.*?<tbody><tr><td class="left"[^>]*>{first}</td>', text, flags=re.DOTALL)


def test_all_identifiers_of_a_page_are_different(pages):
    for page in pages.iterdir():
        identifiers = re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8"))
        assert len(set(identifiers)) == len(identifiers)
        for target in re.findall(r'(?:url\(|href=")#([^")]+)', page.read_text(encoding="utf-8")):
            assert target in identifiers


@pytest.mark.sample(1)
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_browser_shows_the_report_without_errors_and_requests(pages, tmp_path, scheme, width):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=CHROMIUM,
            args=FLAGS,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
        )
        for name in ("cancer", "monks", "iris"):
            page, problems, requests = browser.new_page(), [], []
            page.on("console", lambda message, problems=problems: problems.append(message.text))
            page.on("pageerror", lambda error, problems=problems: problems.append(str(error)))
            page.on("request", lambda request, requests=requests: requests.append(request.url))
            address = (pages / f"{name}.html").as_uri()
            page.goto(address)
            assert problems == []
            assert [url for url in requests if not url.startswith("data:")] == [address]
            text = (pages / f"{name}.html").read_text(encoding="utf-8")
            assert page.locator("h2").all_text_contents() == headings(text)
            # Wide tables and pictures scroll by themselves, the page as a whole does not.
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
            assert dark == (scheme == "dark")
            drawn = page.evaluate(
                "[...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect().height)"
                ".filter(height => height)"
            )
            assert min(drawn) > 40
            assert page.evaluate(CUT_OFF) == []
            # What is wider than its box says that it can be scrolled, and nothing else does.
            assert page.evaluate(HINTS) is True
            page.close()
        browser.close()


def test_the_rules_and_errors_in_the_page_are_those_of_the_model(pages, fitted):
    from html import unescape

    from netlines.inspection.rules import extract_rules

    clf, X, _ = fitted("monks", "grown", as_frame=True)
    text = unescape((pages / "monks.html").read_text(encoding="utf-8"))
    assert extract_rules(clf, X).text() in text
    assert f"errs on 0 of these {len(X)} rows" in text


def test_two_inputs_and_few_rows(tmp_path):
    X, y = make_parity(2)
    clf = NetLinesClassifier(random_state=0).fit(X, y)
    write_report(clf, X, y, tmp_path / "parity.html")
    text = (tmp_path / "parity.html").read_text(encoding="utf-8")
    assert "Beside other classifiers" in headings(text)
    write_report(clf, X[:3], y[:3], tmp_path / "few.html")
    text = (tmp_path / "few.html").read_text(encoding="utf-8")
    assert "There was no cross-validation, which needs at least two rows of each class." in text
    assert "Beside other classifiers" not in headings(text)


def test_errors_on_training_rows_are_never_the_headline(iris_model, tmp_path):
    """Without folds the page shows what the model file knows of new rows, else that nothing is known."""
    known = known_of(read_model_file(iris_model / "model.json").facts)
    first = tiles_of((iris_model / "a.html").read_text(encoding="utf-8"))[0]
    assert 0 < known["error"] < 0.2
    assert first.startswith(f"{100 * known['error']:.1f} % of new rows answered wrongly 95 % interval")
    X, y = make_parity(2)
    clf = NetLinesClassifier(random_state=0).fit(X, y)
    text = write_report(clf, X, y, tmp_path / "b.html", folds=0).read_text(encoding="utf-8")
    assert tiles_of(text)[0].startswith("not measured error on new rows")
    assert "how often it errs on new rows was not measured" in text


def test_no_line_ends_between_a_number_and_its_percent_sign(iris_model):
    text = (iris_model / "a.html").read_text(encoding="utf-8")
    said = re.sub(r"<(style|script|pre)\b.*?</\1>", "", text, flags=re.DOTALL)
    assert re.search(r"\d\xa0%", said)
    assert not re.search(r"\d %", re.sub(r"<[^>]*>", "", re.sub(r"<svg.*?</svg>", "", said, flags=re.DOTALL)))


def tiles_of(text):
    found = re.search(r'<ul class="cards">(.*?)</ul>', text, flags=re.DOTALL).group(1)
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in found.split("</li>")]


def test_the_sizes_of_the_models_of_the_folds_stand_beside_that_of_the_model(fitted):
    clf, X, y = fitted("monks", "grown", as_frame=True)
    evidence = gather(clf.network_, clf, X, y, folds=2)
    evidence.scores["netlines"].sizes[:] = [41, 28]
    what = f"weights in {clf.n_hidden_} hyperplanes"
    assert tiles(evidence)[2] == (str(clf.n_weights_), what, "the models of the folds had 28 to 41 weights")


@pytest.mark.slow
def test_a_callback_of_the_fit_hears_nothing_of_the_report(tmp_path):
    from sklearn.callback import ProgressBar

    class Counting(ProgressBar):
        fits = 0

        def setup(self, *args, **kwargs):
            Counting.fits += 1
            return super().setup(*args, **kwargs)

    X, y = make_parity(2)
    clf = NetLinesClassifier(random_state=0).set_callbacks(Counting())
    clf.fit(X, y)
    before = Counting.fits
    path = write_report(clf, X, y, str(tmp_path / "report.html"), folds=2)
    assert path == tmp_path / "report.html"
    assert before == Counting.fits == 1


def test_hostile_names_are_text_and_controls_are_seen(tmp_path):
    rng = np.random.default_rng(0)
    evil = "</script><img src=x onerror=alert(1)>\x1b[2J\x00\u202etxt"
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=[evil, "_hidden", "$x$ & y"])
    y = pd.Series(np.where(X[evil] > 0, "</style><b>bold", "\x07_bell"), name="<i>")
    clf = NetLinesClassifierCV(teacher=None, cv=2, random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        text = write_report(clf, X, y, tmp_path / "report.html", folds=2).read_text(encoding="utf-8")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text)
    assert "␛[2J␀" in text
    assert "␇_bell" in text
    assert "Predicting “&lt;i&gt;”" in text
    assert "<img" not in text
    assert "<b>bold" not in text
    assert text.count("</script>") == text.count("<script")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
@pytest.mark.parametrize("some", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_many_classes_and_units_stay_small_and_print_without_contents(some, tmp_path, monkeypatch):
    """Of 128 random units the rules and nearest other answers take long: some sections are enough."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if some:
        shown = [one for one in page_of.SECTIONS if one.name in ("network", "planes", "errors", "columns")]
        monkeypatch.setattr(page_of, "SECTIONS", tuple(shown))
    rng, units = np.random.default_rng(0), 128
    hidden, output = rng.normal(size=(units, 11)), rng.normal(size=(11, units + 1))
    network = Network(hidden, output, [f"class {k}" for k in range(11)])
    X = rng.normal(size=(150, 10))
    evidence = gather(network, None, X, network.predict(X), folds=0)
    page = make_page(evidence, title="Many", usage="")
    assert len(page.encode()) < 700_000
    assert f"10 of {units} units shown, by weight" in page
    assert f"10 of {units} hyperplanes are drawn" in page
    (tmp_path / "many.html").write_text(page, encoding="utf-8")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        view = browser.new_page(viewport={"width": 390, "height": 800})
        view.goto((tmp_path / "many.html").as_uri())
        assert view.evaluate("document.documentElement.scrollWidth") == 390
        assert view.evaluate(CUT_OFF) == []
        assert not view.locator("nav.contents a").first.is_visible()
        view.locator("nav.contents summary").click()
        assert view.locator("nav.contents a").first.is_visible()
        # Buttons choose another pair of columns, by keys too.
        assert view.locator(".panel:visible").count() == 1
        view.locator(".tabs input").first.focus()
        view.keyboard.press("ArrowRight")
        assert view.locator(".tabs input").nth(1).is_checked()
        assert view.locator(".panel:visible").count() == 1
        view.emulate_media(media="print")
        assert not view.locator("nav.contents").is_visible()
        assert view.locator(".tabs label:visible").count() == 0
        browser.close()


def test_a_model_card_has_what_is_known_and_marks_what_is_not(iris_model, monkeypatch, capsys):
    from netlines.cli import _run

    monkeypatch.chdir(iris_model)
    assert _run(["card", "model.json", "-o", "CARD.md"]) == 0
    assert "the model card is CARD.md" in capsys.readouterr().out
    card = (iris_model / "CARD.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", card, flags=re.MULTILINE)
    assert headings == [
        "The model",
        "Intended use",
        "Not intended",
        "Training data",
        "How good it is",
        "Limits",
        "Ethical considerations",
        "Contact",
    ]
    assert card.count("**To be filled in by the owner:**") == 6
    assert f"errs on {100 * known_of(read_model_file('model.json').facts)['error']:.1f} % of new rows" in card
    assert "petal length" in card
    assert "constant: " in card  # left out, with the reason
    assert hashlib.sha256((iris_model / "model.json").read_bytes()).hexdigest() in card
    assert _run(["card", "model.json", "--data", "iris.csv", "-o", "CARD.md"]) == 0
    assert "On iris.csv (SHA-256 " in (iris_model / "CARD.md").read_text(encoding="utf-8")
    assert _run(["card", "model.json", "-o", "model.json"]) == 2
    assert "would overwrite the file that is read" in capsys.readouterr().err


def test_provenance_has_files_hashes_and_what_was_left_out(iris_model):
    text = (iris_model / "a.html").read_text(encoding="utf-8")
    part = text[text.index('<section id="provenance"') :]
    for name in ("iris.csv", "model.json"):
        assert f"{name}, SHA-256 {hashlib.sha256((iris_model / name).read_bytes()).hexdigest()}" in part
    assert "150 rows × 5 columns" in part
    assert "netlines report model.json --data iris.csv -o a.html --folds 0" in part
    assert re.search(r"<li>constant: ", part)


def test_an_interrupted_report_leaves_what_was_there(tmp_path):
    X, y = make_parity(2)
    clf = NetLinesClassifier(random_state=0).fit(X, y)
    path = tmp_path / "report.html"
    path.write_text("before")

    def stop(done, name, of):
        if name == "Errors":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_report(clf, X, y, path, progress=stop)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_progress_counts_fits_and_sections(tmp_path):
    X, y = make_parity(2)
    told = []
    clf = NetLinesClassifier(random_state=0).fit(X, y)
    write_report(
        clf, X, y, tmp_path / "report.html", progress=lambda done, name, of: told.append((done, name, of))
    )
    fits = [one for one in told if one[2] == 12]
    assert [one[0] for one in fits[:12]] == list(range(12))
    assert [name for _, name, _ in told if name in HEADINGS] == HEADINGS
    assert [done for done, _, of in told if of == told[-1][2]] == list(range(told[-1][2]))


def test_bad_input_is_named_before_any_work(tmp_path):
    X, y = make_parity(2)
    clf = NetLinesClassifier().fit(X, y)
    with pytest.raises(ValueError, match=r"X must be rows of 2 values, got shape \(4, 3\)"):
        write_report(clf, np.ones((4, 3)), y, tmp_path / "report.html")
    with pytest.raises(ValueError, match="y has the label 7; allowed are -1, 1"):
        write_report(clf, X, [1, -1, 7, 1], tmp_path / "report.html")
    with pytest.raises(ValueError, match="X must have at least one row of 2 values, got none"):
        write_report(clf, np.empty((0, 2)), [], tmp_path / "report.html")
    with pytest.raises(OSError, match="cannot write the file"):
        write_report(clf, X, y, tmp_path)
    tree = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(TypeError, match="DecisionTreeClassifier has no `network_`"):
        write_report(tree, X, y, tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_the_evidence_is_out_of_fold_and_keeps_incomplete_rows_apart():
    X, y = load_iris(return_X_y=True)
    clf = NetLinesClassifierCV(multiclass="pairs", teacher=None, random_state=0).fit(X, y)
    lacking = X.copy()
    lacking[::10, 2] = np.nan
    evidence = gather(clf.network_, clf, lacking, y, folds=3)
    assert len(evidence.incomplete) == 15
    assert len(evidence.X) == 135
    assert evidence.folds == 3
    own = evidence.scores["netlines"]
    assert own.answers.shape == (135,)
    assert np.mean(own.answers != evidence.y) == pytest.approx(np.average(own.errors, weights=[45, 45, 45]))


def test_where_many_rows_lack_values_the_evidence_takes_what_is_expected_of_them():
    X, y = load_iris(return_X_y=True)
    clf = NetLinesClassifierCV(multiclass="pairs", teacher=None, random_state=0).fit(X, y)
    lacking = X.copy()
    lacking[::4, 2] = np.nan
    evidence = gather(clf.network_, clf, lacking, y, folds=0)
    assert len(evidence.incomplete) == 38
    assert (evidence.numbers == np.arange(1, 151)).all()
    assert "38 of 150 rows lack values. Pictures and comparisons take what is expected" in evidence.remarks[0]
    assert tiles(evidence)[3] == ("150", "rows of 3 classes", "38 of them lack values")
    assert (np.asarray(evidence.X)[~np.isnan(lacking)] == X[~np.isnan(lacking)]).all()
    assert np.abs(evidence.X - X)[::4, 2].mean() < 0.5 < np.abs(X[:, 2].mean() - X[::4, 2]).mean()


def test_rows_without_any_value_are_reported_on(tmp_path):
    X, y = make_parity(2)
    write_report(NetLinesClassifier().fit(X, y), np.full((2, 2), np.nan), [1, -1], tmp_path / "report.html")
    assert "2 of 2 rows lack values." in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_matrices_by_hand():
    truth, answers = np.array(["a", "a", "b"]), np.array(["a", "b", "b"])
    cells = re.findall(
        r'class="(hit|miss)" style="--share: ([\d.]+)">(\d+)', confusion(["a", "b"], truth, answers)
    )
    assert cells == [
        ("hit", "0.500", "1"),
        ("miss", "0.500", "1"),
        ("miss", "0.000", "0"),
        ("hit", "1.000", "1"),
    ]
    assert "50.0 % (9.5 to 90.5)" in by_class(["a", "b"], truth, answers).replace("\xa0", " ")
    assert "never answered" in by_class(["a", "b"], truth, np.array(["b"] * 3))


def test_a_table_escapes_and_draws_bars():
    text = table(["<x>"], [[Cell("1 & 2", bar=0.25)], ["<b>"]])
    assert "&lt;x&gt;" in text
    assert "1 &amp; 2" in text
    assert "calc(25.0% - .4rem)" in text
    assert "<b>" not in text


def test_a_cell_before_none_takes_its_place_and_a_mark_has_its_colour():
    rows = [["Parity", None, None], ["H = N", Cell("<2", mark=("yes", "✓ holds")), None]]
    text = table(["claim", "measured", "rule"], rows, left=3, stacked=True)
    assert '<tr class=group><td class="left" colspan=3>Parity</td></tr>' in text
    assert '<td class="left" data-head="claim">H = N</td>' in text
    assert '<td class="" colspan=2><span class="yes">✓ holds</span> &lt;2</td></tr>' in text


def test_a_picture_takes_the_colours_of_the_page():
    from matplotlib.figure import Figure

    picture = Figure(figsize=(2, 2))
    ax = picture.subplots()
    ax.plot([0, 1], color="#222222")
    ax.axhspan(0, 1, color="#E3F0F8", hatch="//")
    ax.set_title("skin: white, 1.23456, id=")
    svg, width = to_svg(picture, "one")
    assert width == 144
    assert "var(--ink)" in svg
    assert "var(--pale-0)" in svg
    assert "#222222" not in svg
    assert "skin: white, 1.23456, id=" in svg  # what is not a colour but a name stays
    assert 'id="one-figure_1"' in svg


@pytest.mark.slow
def test_the_command_writes_the_same_kind_of_page(tmp_path, monkeypatch, capsys):
    from netlines.cli import _run

    monkeypatch.chdir(tmp_path)
    X, y = load_breast_cancer_wisconsin(incomplete="keep", return_X_y=True, as_frame=True)
    frame = X.assign(diagnosis=y)
    frame.dropna().to_csv("complete.csv", index=False)
    frame.to_csv("all.csv", index=False)
    fit = ["fit", "complete.csv", "--target", "diagnosis", "-o", "model.json", "--folds", "0", "--quiet"]
    assert _run([*fit, "--error-free", "--max-hidden", "2"]) == 0
    assert _run(["report", "model.json", "--data", "all.csv", "-o", "report.html", "--folds", "2"]) == 0
    assert "the report is report.html" in capsys.readouterr().out
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert headings(text) == [one for one in HEADINGS if one not in NO_PROBABILITIES]
    assert "Predicting “diagnosis”" in text
    assert "The 16 rows that lack values" in text
    assert tiles_of(text)[3].endswith("16 more rows lack values")
    assert "netlines predict model.json new.csv" in text
    pd.read_csv("all.csv").drop(columns="diagnosis").to_csv("no_target.csv", index=False)
    assert _run(["report", "model.json", "--data", "no_target.csv", "-o", "other.html"]) == 2
    assert "the table has no target column 'diagnosis'" in capsys.readouterr().err
    assert _run(["report", "model.json", "--data", "all.csv", "-o", "model.json"]) == 2
    assert "would overwrite the file that is read" in capsys.readouterr().err
    assert _run(["report", "model.json", "--data", "all.csv", "-o", "x.html", "--folds", "1"]) == 2
    assert not (tmp_path / "x.html").exists()


def test_columns_that_were_one_are_one_attribute(tmp_path):
    rng = np.random.default_rng(0)
    colour, size = np.eye(3)[rng.integers(0, 3, 80)], rng.normal(size=(80, 1))
    names = ["colour=red", "colour=green", "colour=blue", "size"]
    X = pd.DataFrame(np.hstack([colour, size]), columns=names)
    y = np.where((colour[:, 0] == 1) ^ (size[:, 0] > 0), "yes", "no")
    clf = NetLinesClassifier(random_state=0).fit(X, y)
    evidence = gather(clf.network_, clf, X, y, folds=0)
    assert evidence.attributes == [("colour", [0, 1, 2]), ("size", [3])]
    write_report(clf, X, y, tmp_path / "report.html", folds=0)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "over 2 attributes" in text
    assert re.search(r'"left">colour</td><td class="meter">', text)
    flips = re.findall(r'<td class="text">(.*?)</td>', text)
    assert all("colour=" not in flip for flip in flips)  # a part of a colour is none
