"""The scikit-learn border: estimators over the algorithms, schemes over any binary classifier (`multiclass`).

Labels become numbers here and nowhere else. From outside: the public classifiers, `distill` and `prune`,
which `from netlines import …` also gives.
"""
