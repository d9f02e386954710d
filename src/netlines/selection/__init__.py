"""What suits new rows: folds, teachers, students, a judge of held-out answers, and the choice.

From outside: `fit`, which walks through all of it, and `terms`, what the user wants.
"""
