"""Questions to a fitted network, answered without training: how sure, why, what else, what if unknown.

`inputs` is the door by which networks and rows come in, `answers` what is said of rows, complete or not;
`confidence`, `domains`, `explanation`; `nearest/` (other answers), `rules/`, `missing/` (values that lack).
From outside: these modules, and of the three packages the names in their `__init__`.
"""
