"""The file of a plan."""

from domain.core.wire import Wire


class PlanDocument(Wire):
    """The file of one plan; a file is this plan's own exactly if its first line is `marker`."""

    name: str
    marker: str
    text: str
    is_over: bool = False
