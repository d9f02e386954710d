"""Questions to a fitted network, answered without training: how sure, why, what else, what if unknown.

`confidence`, `domains`, `explanation`; `nearest` (other answers), `rules`, `missing` (values that are
lacking); `inputs` is the door by which networks and rows come in. From outside: any of these modules.
"""
