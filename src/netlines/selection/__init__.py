"""What suits new rows: folds, teachers, students, a judge of held-out answers, and the choice.

From outside: `fit`, which walks through all of it, and `description`, which needs no folds; both take
`terms`, what the user wants, and return a `Fitted`. `distill` uses `students`, calibration by copies `folds`.
"""
