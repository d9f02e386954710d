"""The paper's experiments, one file each, with today's classifiers beside them: `netlines reproduce`.

Each experiment says which runs it consists of, how one is measured, which claims of the paper it decides and
what it draws. `published.csv` lists the claims; `runs/` does the work, `report/` shows what came of it.
"""

from netlines.reproduce import (
    cancer,
    cancer_missing,
    clumps,
    convergence,
    diabetes,
    iris,
    monks,
    parity,
    sonar,
    temperature,
    theta,
    waveform,
)

EXPERIMENTS = {
    module.NAME: module.EXPERIMENT
    for module in (
        parity,
        sonar,
        monks,
        clumps,
        cancer,
        cancer_missing,
        diabetes,
        waveform,
        iris,
        temperature,
        theta,
        convergence,
    )
}
__all__ = ["EXPERIMENTS"]
