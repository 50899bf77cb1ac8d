"""The one way into a process's log: redacted lines, as text or as JSON."""

import logging
import sys
from types import TracebackType
from typing import Any, Literal

from adapters.redaction import Redactor
from domain.core.printable import visible
from domain.core.text import on_one_line

LogFormat = Literal["text", "json"]
_JSON_NAMES = {"levelname": "level", "name": "logger", "exc_info": "exception"}
_OWN = {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message"}
"""The attributes that every record has; the others were given as `extra`."""


def extras_of(record: logging.LogRecord) -> dict[str, str | float]:
    """Return what a record carries beside its message: ids, names and numbers."""
    given = vars(record).items()
    return {k: v for k, v in given if k not in _OWN and isinstance(v, str | int | float)}


class RedactingFormatter(logging.Formatter):
    """Formats a log record, its extras and its traceback too, without secrets."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return self._redactor.text(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's name)
        """Return the record's own line: what it quotes can neither end it nor steer a terminal."""
        extras = "".join(f" {name}={value}" for name, value in extras_of(record).items())
        return visible(on_one_line(super().formatMessage(record) + extras))

    def formatException(self, ei: Any) -> str:  # noqa: N802  (logging's name)
        """Return a traceback whose lines are marked, so that none looks like a record."""
        return "\n".join(f"| {visible(line)}" for line in super().formatException(ei).splitlines())


def _json_formatter(redactor: Redactor) -> logging.Formatter:
    from pythonjsonlogger.json import JsonFormatter

    class RedactingJson(JsonFormatter):
        """Formats a log record as a JSON object on one line, without secrets."""

        def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
            """Return what is written: of a record's extras those that a line of text has, too."""
            log_data["time"] = log_data["time"].isoformat(timespec="milliseconds")
            plain = {k: v for k, v in log_data.items() if isinstance(v, str | int | float)}
            return redactor.tree(plain)

    fields = ["levelname", "name", "message"]
    return RedactingJson(
        fields, timestamp="time", rename_fields=_JSON_NAMES, json_ensure_ascii=True
    )


def keep_log_clean(
    redactor: Redactor, log_format: LogFormat = "text", level: str = "warning"
) -> None:
    """Let nothing into this process's log but redacted lines, not the error either that ends it.

    Call it once. A library that brings handlers of its own (uvicorn's `log_config`) must be told not to.
    """
    handler = logging.StreamHandler()
    is_json = log_format == "json"
    handler.setFormatter(_json_formatter(redactor) if is_json else RedactingFormatter(redactor))
    logging.basicConfig(handlers=[handler], level=level.upper())

    def end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        logging.getLogger(__name__).critical("ended by an error", exc_info=(kind, error, trace))

    sys.excepthook = end
