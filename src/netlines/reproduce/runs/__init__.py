"""Runs of the experiments: what is trained, in which processes, and the rows that are left behind."""
