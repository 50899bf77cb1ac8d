"""Reviews of a task's work by an agent: verdict and findings, and how what a model sends is read.

Shapes are taken as models send them: JSON in a text, one finding without its list, `L12` for a line,
`critical` for a blocker. What a review means is never guessed: a verdict, a severity or a text that is
missing, or a verdict that its own findings contradict, is a problem, and all are told at once.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar, cast

from domain.core.agent_json import decode_json
from domain.core.errors import InvalidError
from domain.core.wire import Wire, size_bytes

MAX_FINDINGS = 50
MAX_TEXT = 2_000
MAX_SUMMARY = 3_000
MAX_FILE = 500
MAX_BYTES = 12 << 10
"""Of all findings together: they stay in a task's state until its next review."""

_SHOWN = 80
_CUT = " [... cut]"
_LINE = re.compile(r"\s*L?(\d{1,9})\b.*", re.IGNORECASE | re.DOTALL)
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d{1,9})(?:[-:]\d+)?")


class Severity(StrEnum):
    """How grave a finding is; a review that approves has none above `minor`."""

    BLOCKER = "blocker"
    MAJOR = "major"
    MINOR = "minor"
    NOTE = "note"


class ReviewVerdict(StrEnum):
    """Whether the work may go on to its gate."""

    APPROVE = "approve"
    REQUEST_CHANGES = "request_changes"


class Finding(Wire):
    """One thing that a reviewer found; `file` is relative to the repository, empty for the whole."""

    file: str = ""
    line: int | None = None
    severity: Severity
    text: str

    @property
    def as_line(self) -> str:
        """The finding in a line: `src/a.py:12 (major): text`."""
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return f"{place or 'the whole'} ({self.severity}): {self.text}"


class Review(Wire):
    """What a reviewer answers."""

    verdict: ReviewVerdict
    summary: str = ""
    findings: tuple[Finding, ...] = ()


_VERDICTS: Mapping[str, ReviewVerdict] = {
    **dict.fromkeys(("approve", "approved", "accept", "lgtm"), ReviewVerdict.APPROVE),
    **dict.fromkeys(
        ("request_changes", "changes_requested", "revise", "reject", "rejected", "needs_changes"),
        ReviewVerdict.REQUEST_CHANGES,
    ),
}
_SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(("blocker", "blocking", "critical", "fatal"), Severity.BLOCKER),
    **dict.fromkeys(("major", "high", "error"), Severity.MAJOR),
    **dict.fromkeys(("minor", "medium", "low", "warning"), Severity.MINOR),
    **dict.fromkeys(("note", "info", "nit", "suggestion"), Severity.NOTE),
}
_NAMES: Mapping[str, tuple[str, ...]] = {
    "findings": ("findings", "issues", "comments"),
    "file": ("file", "path", "filename", "file_path"),
    "line": ("line", "lines", "line_number", "start_line"),
    "text": ("text", "message", "description", "comment", "body", "issue"),
    "summary": ("summary", "feedback", "explanation"),
}
"""What models call these fields."""

W = TypeVar("W", ReviewVerdict, Severity)


def read_review(raw: Any) -> Review:
    """Read a review as a model sent it.

    Raises:
        InvalidError: With every problem, one a line, worded for the reviewer.
    """
    fields = _mapping(raw)
    fields = _mapping(fields.get("review")) or fields
    if not fields:
        raise InvalidError(
            'a review is {"verdict": "approve" or "request_changes", "summary": "...", '
            '"findings": [...]}'
        )
    problems: list[str] = []
    verdict = _word(fields.get("verdict"), _VERDICTS, "verdict", problems)
    findings = _findings(_named(fields, "findings"), problems)
    summary = _text(_named(fields, "summary"), MAX_SUMMARY)
    problems += _contradictions(verdict, findings) if not problems else []
    if size_bytes(findings) > MAX_BYTES:
        problems.append(f"the findings have more than {MAX_BYTES} bytes: say them shorter")
    if problems or verdict is None:
        raise InvalidError("\n".join(problems))
    return Review(verdict=verdict, summary=summary, findings=findings)


def _findings(raw: Any, problems: list[str]) -> tuple[Finding, ...]:
    sent = decode_json(raw)
    if sent is None or sent == "":
        return ()
    rows = cast("list[Any]", sent) if isinstance(sent, list) else [sent]
    if len(rows) > MAX_FINDINGS:
        problems.append(f"{len(rows)} findings, at most {MAX_FINDINGS}: give the gravest")
        return ()
    found = (_finding(row, f"findings[{n}]", problems) for n, row in enumerate(rows))
    return tuple(dict.fromkeys(finding for finding in found if finding is not None))


def _finding(raw: Any, where: str, problems: list[str]) -> Finding | None:
    fields = _mapping(raw) or {"text": raw}
    known = len(problems)
    severity = _word(fields.get("severity"), _SEVERITIES, f"{where}.severity", problems)
    text = _text(_named(fields, "text") or fields.get("title"), MAX_TEXT)
    if not text:
        problems.append(f"{where}.text: say what is wrong, and what to do")
    file, line = _place(fields, where, problems)
    if severity is None or len(problems) > known:
        return None
    return Finding(file=file, line=line, severity=severity, text=text)


def _place(fields: dict[str, Any], where: str, problems: list[str]) -> tuple[str, int | None]:
    """Return file and line, which models also write as `src/a.py:12`."""
    named = _named(fields, "file")
    file = named.strip().removeprefix("./") if isinstance(named, str) else ""
    line = _line(_named(fields, "line"), where, problems)
    if line is None and (match := _PLACE.fullmatch(file)):
        file, line = match["file"], int(match["line"]) or None
    if len(file) > MAX_FILE or not file.isprintable() or (named and not isinstance(named, str)):
        problems.append(f"{where}.file: give one path of the repository, like 'src/a.py'")
    return file, line


def _line(raw: Any, where: str, problems: list[str]) -> int | None:
    value: Any = cast("list[Any]", raw)[:1] if isinstance(raw, list) else [raw]
    value = value[0] if value else None
    if value is None or value in ("", 0):
        return None
    match = _LINE.fullmatch(str(value))
    if match is None or isinstance(value, bool):
        problems.append(f"{where}.line: {str(value)[:_SHOWN]!r} is no line number, like 12")
        return None
    return int(match[1]) or None


def _contradictions(verdict: ReviewVerdict | None, findings: Sequence[Finding]) -> list[str]:
    """Return what the verdict says against its own findings."""
    grave = [f for f in findings if f.severity in {Severity.BLOCKER, Severity.MAJOR}]
    if verdict is ReviewVerdict.APPROVE and grave:
        return [
            f"approve, with a {grave[0].severity}: either it must be fixed first, then "
            "request_changes, or it is minor"
        ]
    if verdict is ReviewVerdict.REQUEST_CHANGES and all(
        finding.severity is Severity.NOTE for finding in findings
    ):
        return [
            "request_changes needs a finding that says what must change: a blocker, major or minor"
        ]
    return []


def _word(raw: Any, known: Mapping[str, W], where: str, problems: list[str]) -> W | None:
    """Return what one of the known words stands for, however it is spelled."""
    word = re.sub(r"[\s-]+", "_", raw.strip().lower()) if isinstance(raw, str) else ""
    if word in known:
        return known[word]
    allowed = ", ".join(str(name) for name in dict.fromkeys(known.values()))
    given = f"{str(raw)[:_SHOWN]!r}" if raw not in (None, "") else "missing"
    problems.append(f"{where}: {given}; give one of: {allowed}")
    return None


def _named(fields: dict[str, Any], name: str) -> Any:
    return next((fields[key] for key in _NAMES[name] if fields.get(key) is not None), None)


def _text(raw: Any, limit: int) -> str:
    text = raw.strip() if isinstance(raw, str) else ""
    return text if len(text) <= limit else text[: limit - len(_CUT)] + _CUT


def _mapping(raw: Any) -> dict[str, Any]:
    """Return an object, also one that came as JSON in a text; anything else is an empty one."""
    sent = decode_json(raw)
    return cast("dict[str, Any]", sent) if isinstance(sent, dict) else {}
