"""What came of the runs, to look at: figures in the paper's manner, a page, a text for the documentation."""
