"""One hidden layer shared by many classes, with an output each: how it is trained and grown."""
