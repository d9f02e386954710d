"""The list of the experiments, by the names that the command line has for them."""

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
