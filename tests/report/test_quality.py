"""Honest numbers: what the page says of a model is scikit-learn's, on rows that it had not seen."""

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from netlines import MinimerrorClassifier, NetLinesClassifierCV
from netlines.network.shares import wilson
from netlines.network.verdict import CHOSEN_BY, Verdict
from netlines.report.comparison import GUESS, Scores, more_peers
from netlines.report.curves import curves
from netlines.report.evidence import OWN, gather
from netlines.report.model import growth
from netlines.report.quality import (
    best_in,
    calibration,
    comparison,
    difference,
    errors,
    sizes_sentence,
    when_made,
)
from netlines.report.rows import certain, domains, missing
from netlines.report.subgroups import subgroups


def made(n_classes, n=160, seed=1):
    X, y = make_classification(
        n, 5, n_informative=4, n_redundant=0, n_classes=n_classes, flip_y=0.15, random_state=seed
    )
    return X, np.array([f"kind {k}" for k in range(n_classes)])[y]


@pytest.fixture(scope="module")
def judged():
    """Evidence of two and of three classes, by quick copies of a network with probabilities."""
    found = {}
    for n_classes in (2, 3):
        X, y = made(n_classes)
        clf = NetLinesClassifierCV(max_hidden=2, cv=2, teacher=None, random_state=0).fit(X, y)
        found[n_classes] = gather(clf.network_, clf, X, y, folds=2)
    return found


def cells(html):
    """Return the texts of a table's rows, and which of them are bold."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", html.replace("\xa0", " ").split("<tbody>")[1], re.DOTALL)
    pairs = [re.findall(r'<td class="([^"]*)"[^>]*>(.*?)</td>', row) for row in rows]
    return {unescape(row[0][1]): row[1:] for row in pairs}


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_on_the_page_are_those_of_scikit_learn(judged, n_classes):
    evidence = judged[n_classes]
    table = cells(comparison(evidence))
    assert len(table) == 7
    labels = evidence.labels
    for name, own in evidence.scores.items():
        p, y = own.probabilities, evidence.y
        row = table.get(name, table.get(f"always answering {labels[0]!r}"))
        row = row if row is not None else table[next(one for one in table if one.startswith("always"))]
        error, _, _, auc, loss, brier = (text for _, text in row[:6])
        assert error == f"{100 * np.mean(own.answers != y):.1f} %"
        by_score = {"multi_class": "ovr"} if n_classes > 2 else {}
        assert auc == f"{metrics.roc_auc_score(y, p if n_classes > 2 else p[:, 1], **by_score):.3f}"
        assert loss == f"{metrics.log_loss(y, p, labels=labels):.3f}"
        own_brier = metrics.brier_score_loss(y, p, labels=labels)
        assert brier == f"{own_brier:.3f}"
        if n_classes == 2:  # the older form, of the positive class alone
            assert own_brier == pytest.approx(np.mean((p[:, 1] - (y == labels[1])) ** 2))
    recalls = metrics.recall_score(evidence.y, evidence.scores[OWN].answers, average=None, labels=labels)
    text = errors(evidence).replace("\xa0", " ")
    for label, recall in zip(labels, recalls, strict=True):
        n = int((evidence.y == label).sum())
        low, high = wilson(round(recall * n), n)
        found = f"{100 * recall:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        assert f'"left">{label}</td><td class="">{n}</td><td class="">{found}' in text


def test_bold_is_the_best_and_what_looks_the_same(judged):
    bold = best_in({"netlines": 0.0789, "tree": 0.9, "forest": 0.06301, "boosted": 0.06299}, "{:.3f}".format)
    assert {name for name, cell in bold.items() if cell.kind == "best"} == {"forest", "boosted"}
    high = best_in({"netlines": 0.81, "tree": 0.9}, "{:.3f}".format, largest=True)
    assert [cell.kind for cell in high.values()] == ["", "best"]
    evidence = judged[2]
    wrong = np.where(evidence.y == evidence.labels[0], evidence.labels[1], evidence.labels[0])
    worst = replace(
        evidence.scores[OWN], answers=wrong, probabilities=evidence.scores[OWN].probabilities[:, ::-1]
    )
    html = comparison(replace(evidence, scores={**evidence.scores, OWN: worst}))
    assert "class=own" not in html
    assert not any(kind == "best" for kind, _ in cells(html)["netlines"])


def test_guessing_stands_beside_and_differences_are_paired(judged):
    evidence = judged[2]
    guess = evidence.scores[GUESS]
    sizes = [int((evidence.y == label).sum()) for label in evidence.labels]
    assert np.mean(guess.answers != evidence.y) == pytest.approx(1 - max(sizes) / sum(sizes))
    truth = np.array([0] * 100)
    own, other = (np.where(np.arange(100) < k, 1, 0) for k in (4, 10))
    scores = [Scores(answers, None, [], [], []) for answers in (own, other)]
    se = np.sqrt(0.06 * 0.94 / 100)
    low, high = 6 - 196 * se, 6 + 196 * se
    assert difference(*scores, truth) == f"+6.0 (+{low:.1f} to +{high:.1f})"
    assert difference(scores[1], scores[0], truth) == f"−6.0 (−{high:.1f} to −{low:.1f})"
    assert difference(scores[0], scores[0], truth) == "0.0, errs on the same rows"


def test_errors_of_the_procedure_and_of_the_model_are_told_apart(judged):
    evidence = judged[2]
    text = errors(evidence)
    missed = int((evidence.scores[OWN].answers != evidence.y).sum())
    own = int((evidence.network.predict(evidence.X) != evidence.y).sum())
    assert f"Of 160 rows, {missed} were answered wrongly by models that had not seen them" in text
    assert "redone in each of 2 folds, the choice too, so this is the error of the procedure" in text
    small = re.search(r"<p class=soft>(The model of this page.*?)</p>", text)[1]
    assert small.startswith(f"The model of this page errs on {own} of these 160 rows")
    assert "that flatters it" in small
    size = evidence.network.n_weights
    for sizes, told in (
        ([size] * 2, f"{size} weights each, as this one has."),
        ([size - 2, size + 9, size], f"{size - 2} to {size + 9} weights, this model {size}."),
        ([size - 3, size - 1, size - 2], "It is larger than all of them, so the error is less sure"),
    ):
        scores = {**evidence.scores, OWN: replace(evidence.scores[OWN], sizes=sizes)}
        assert told in sizes_sentence(replace(evidence, scores=scores))


def test_another_error_than_that_of_the_fit_is_explained(judged):
    evidence = judged[2]
    assert when_made(replace(evidence, known={})) == []
    own = float(np.mean(evidence.scores[OWN].answers != evidence.y))
    assert when_made(replace(evidence, known={"error": own, "how": CHOSEN_BY})) == []
    known = {"error": own - 0.02, "how": CHOSEN_BY}
    told = f"was {100 * own - 2:.1f} % ({CHOSEN_BY}; for this page all was chosen anew in each fold)."
    assert when_made(replace(evidence, known=known))[0].endswith(told)
    assert told in errors(replace(evidence, known=known)).replace("\xa0", " ")


def test_without_folds_the_kept_error_comes_first_and_the_rest_is_said_to_flatter(judged):
    X, y = made(2)
    network = judged[2].network
    kept = {"error": 0.074, "low": 0.05, "high": 0.11, "how": "measured in the folds that chose it"}
    evidence = gather(network, None, X, y, folds=0, known=kept)
    text = errors(evidence).replace("\xa0", " ")
    assert "it erred on 7.4 % of new rows (95 % interval 5.0 to 11.0 %), measured in the folds" in text
    assert text.index("7.4 %") < text.index("on the rows that the model was trained on: that flatters it")
    assert "trained on: that flatters it</h3>" in text
    assert "was not measured" in errors(replace(evidence, known={}))
    assert comparison(evidence) == calibration(evidence) == ""


def test_the_verdict_is_about_the_folds(judged):
    evidence = judged[2]
    verdict = evidence.verdict
    assert verdict.error.hits == (evidence.scores[OWN].answers != evidence.y).sum()
    assert "2 folds, all chosen anew in each" in verdict.headline
    assert [one.name for one in verdict.rivals[1:]] == [n for n in evidence.scores if n not in (OWN, GUESS)]
    assert verdict.what.startswith(("one weighted sum of 5", "2 hyperplanes over 5"))
    about = Verdict("a points score", True, 9, remarks=("One column alone decides.",), prefer="readable")
    X, y = made(2)
    known = gather(evidence.network, None, X, y, folds=0, about=about).verdict
    assert (known.what, known.error, known.prefer) == ("a points score", None, "readable")


def test_labels_in_another_order_than_sorted_keep_their_probabilities(monkeypatch):
    monkeypatch.setattr("netlines.report.evidence.more_peers", lambda *args: {})
    X, y = made(2)
    y = np.where(y == "kind 0", "well", "ill")
    clf = NetLinesClassifierCV(max_hidden=1, cv=2, teacher=None).fit(X, y)
    swapped = replace(
        clf.network_, classes=clf.network_.classes[::-1], output_weights=-clf.network_.output_weights
    )
    plain, turned = (gather(one, clf, X, y, folds=2) for one in (clf.network_, swapped))
    for name in plain.scores:
        assert plain.worth[name].log_loss == pytest.approx(turned.worth[name].log_loss)
        assert (turned.scores[name].probabilities[:, ::-1] == plain.scores[name].probabilities).all()


def test_gradient_boosting_is_left_out_where_it_would_take_long():
    assert len(more_peers(0, 20_000, 2)) == 2
    assert len(more_peers(0, 20_000, 11)) == 1


def test_doubtful_rows_have_their_values_and_one_number(judged):
    evidence = judged[2]
    text = certain(evidence)
    p = evidence.network.probability(evidence.X).max(axis=1)
    first = int(np.argmin(p))
    row = re.search(r"<tbody><tr>(.*?)</tr>", text)[1]
    assert f'"left" data-head="row and answer">{evidence.numbers[first]}: ' in row
    assert f">{p[first]:.3f}</td>" in row
    best = evidence.important[0]
    assert f"{best.name} {evidence.X[first, best.inputs[0]]:.4g}" in row
    assert "onfidence" not in text
    assert "Sure and yet wrong" in text
    wrong = evidence.network.predict(evidence.X) != evidence.y
    surest = int(np.flatnonzero(wrong)[p[wrong].argmax()])
    assert f"{evidence.numbers[surest]}: {evidence.network.predict(evidence.X)[surest]}, truly" in text


def test_a_row_is_either_doubtful_or_sure_and_yet_wrong(judged):
    evidence = judged[2]
    few = replace(evidence, X=evidence.X[:9], y=evidence.y[:9].copy(), numbers=evidence.numbers[:9])
    surest = int(few.network.probability(few.X).max(axis=1).argmax())
    other = next(label for label in few.labels if label != few.network.predict(few.X)[surest])
    few.y[surest] = other
    told = re.findall(r'data-head="row and answer">(\d+):', certain(few))
    assert str(few.numbers[surest]) in told
    assert len(told) == len(set(told))


def test_curves_are_about_a_class_that_is_far_rarer(judged):
    evidence = judged[2]
    assert evidence.finding == 1
    y = np.where(np.arange(len(evidence.y)) < 30, *evidence.labels)
    rare = replace(evidence, y=y)
    assert rare.finding == 0
    text = curves(rare)
    assert f"The class '{rare.labels[0]}' is taken for the finding" in unescape(text)
    auc = metrics.roc_auc_score(y == rare.labels[0], rare.scores[OWN].probabilities[:, 0])
    assert f"AUC {auc:.3f}" in text
    assert f"probability really are '{rare.labels[0]}'" in unescape(calibration(rare))


def test_without_errors_there_is_no_table_of_groups(judged):
    evidence = judged[2]
    scores = {**evidence.scores, OWN: replace(evidence.scores[OWN], answers=evidence.y)}
    assert "<table" in subgroups(evidence)
    assert subgroups(replace(evidence, scores=scores)).endswith("no group is worse.</p>")


def test_the_words_on_missing_values_and_cells_are_plain(judged):
    evidence = judged[3]
    text = missing(evidence) + domains(evidence)
    assert "Tried on all 160 rows." in text
    assert not re.search(r"faithful|\bcodes?\b|domain ", re.sub(r"<[^>]+>", " ", text))
    many = replace(evidence, X=np.tile(evidence.X, (4, 1)), y=np.tile(evidence.y, 4))
    assert "Tried on every 3rd of the 640 rows (214), to save time." in missing(many)


def test_growth_that_ends_elsewhere_is_explained(judged):
    evidence = judged[2]
    own = evidence.network.n_hidden
    for last in (own, own + 3):
        trace = ({"n_hidden": 1, "errors": 50.0}, {"n_hidden": last, "errors": 9.0})
        text = growth(replace(evidence, network=replace(evidence.network, growth_trace=trace)))
        assert ("after those that changed no answer were left out." in text) == (last != own)


def test_rows_unlike_those_of_training_are_told():
    X = np.random.default_rng(0).normal(size=(60, 2))
    clf = MinimerrorClassifier().fit(X, X[:, 0] > 0)
    assert gather(clf.network_, None, X, X[:, 0] > 0, folds=0).remarks == []
    X[0, 1] = 630.0
    (told,) = gather(clf.network_, None, X, X[:, 0] > 0, folds=0).remarks
    assert told.startswith("1 of 60 rows lies outside of what training has seen: x1 above ")


def test_a_peer_that_takes_no_huge_values_is_left_out_and_named():
    X = np.random.default_rng(0).normal(size=(60, 2))
    X[:30, 1] *= 1e60
    y = X[:, 0] > 0
    clf = MinimerrorClassifier().fit(X, y)
    evidence = gather(clf.network_, clf, X, y, folds=2)
    told = "Decision tree and random forest are not compared: they take no values beyond 3e38."
    assert evidence.remarks == [told]
    assert "logistic regression" in evidence.scores
    assert "random forest" not in comparison(evidence)
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="too large"):  # of the model itself
        gather(clf.network_, DecisionTreeClassifier(), X, y, folds=2)
