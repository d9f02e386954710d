"""Points scores: few integer points for plain conditions, searched for, rounded and chosen by folds.

`conditions` lists what may get points, `search` finds which few do, `rounding` makes integers of them,
`build` all scores of two classes; `steps` finds totals of which only some values count. `card` turns a score
into a network; `sides` says which classes it separates, `choice` chooses by folds, `assembly` puts together.
From outside: `choice.fit_points`.
"""
