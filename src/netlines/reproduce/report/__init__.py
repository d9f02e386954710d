"""What came of the runs, to look at: figures in the paper's manner, one page, and a text for the documentation."""
