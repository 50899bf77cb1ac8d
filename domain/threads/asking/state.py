"""The answers that count in a whole thread."""

from domain.questions.question import Rule
from domain.wire import Wire


class Remembered(Wire):
    """Rules by their ids; `forgotten` are ids that count no more, whoever tells of them again."""

    rules: dict[str, Rule] = {}
    forgotten: tuple[str, ...] = ()
