"""What networks learn from: regressions, soft networks, kernels, any classifier, and the best of them."""
