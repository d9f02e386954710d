"""What networks learn from: regressions, soft networks, kernels and other classifiers, and the best of them."""
