"""What checks of agents and of recipes share: numbers, and the streams that end in them."""

from domain.core.ids import StreamId
from domain.core.summaries import Summarized


class Check(Summarized):
    """Base of the inputs of checks; without a host any worker may carry one out."""

    number: int
    host: str = ""
    by: str = ""

    @property
    def stream(self) -> StreamId:
        """The check's workflow id and journal stream."""
        raise NotImplementedError(f"{type(self).__name__} has no stream")


def check_number(stream: str) -> int:
    """Return the number of a check by its stream, 0 where it is none."""
    number = stream.rpartition("/check-")[2]
    return int(number) if number.isascii() and number.isdigit() else 0
