"""A callback that remembers, for the tests of callbacks."""


class Recorder:
    """A callback of scikit-learn that writes down what it is told, and does what it is given."""

    def __init__(self, act=lambda unit, fitted: False):
        self.act = act
        self.events = []
        self.fitted = []

    def setup(self, estimator, context):
        self.events.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.events.append(("end", context.task_name))
        if context.task_name == "hidden unit" and fitted_estimator is not None:
            self.fitted.append(fitted_estimator)
            return self.act(len(self.fitted), fitted_estimator)
        return False

    def teardown(self, estimator, context):
        self.events.append("teardown")
