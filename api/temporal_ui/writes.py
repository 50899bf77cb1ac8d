"""What may be asked of Temporal's Web UI: reading, and the actions that Treadle's workflows support.

All others are refused in words, which the Web UI shows: a reset would ask again what was decided, and
what Treadle did not start it does not carry out (docs/adr/0008).
"""

import json
import re
from typing import Any

PERMISSION_DENIED = 7
"""The gRPC status code of a refusal."""

_NAMESPACE = r"/api/v1/namespaces/[^/]+"
_RUN = rf"{_NAMESPACE}/workflows/[^/]+(/runs/[^/]+)?"

_PAGES = re.compile(
    r"/|/(namespaces|nexus|workers|select-namespace|import|settings|feature-flags)(/.*)?"
    r"|/(_app|i18n|fonts|images)/.+|/render|/[^/]+\.[a-z0-9]+"
)
"""The Web UI's screens and files; none of them says anything about a workflow."""

_READS = re.compile(
    r"/api/v1/(settings|cluster-info|cluster|system-info|me|search-attributes|nexus/endpoints)(/.*)?"
    rf"|/api/v1/namespaces|{_NAMESPACE}(/.*)?"
)
_QUERY = re.compile(rf"{_RUN}/query(/[^/]+)?")
_ACTIONS = re.compile(rf"{_RUN}/(signal(/[^/]+)?|cancel|terminate)")

_STEER = "approve, send messages, pause or stop it with `treadle`, or with a line of `treadle show`"
_REFUSALS = (
    (
        rf"{_RUN}/reset",
        "Treadle cannot reset a workflow: what was decided would be asked again, and files and "
        "branches would not go back. Use `treadle fork`, or `treadle retry` for a task.",
    ),
    (
        rf"{_RUN}/update(/.*)?",
        "Treadle takes updates from its own programs only. Send the signal of the same name, with "
        "the line that `treadle show --signals` prints.",
    ),
    (
        rf"{_NAMESPACE}/workflows/[^/]+",
        "Treadle does not carry out workflows that were started here. Start a thread with "
        "`treadle run` or on the page.",
    ),
    (
        rf"{_NAMESPACE}/schedules.*",
        "Change schedules with `treadle schedule`, or on the page: a schedule from here would "
        "start workflows that Treadle refuses.",
    ),
    (
        rf"{_NAMESPACE}/batch-operations.*",
        "Treadle takes no batch operations: act on one workflow at a time.",
    ),
    (
        rf"{_NAMESPACE}/(workflows/.*/)?activities.*",
        f"An activity cannot be changed here: {_STEER}.",
    ),
)
_OTHER = f"This action is not supported for Treadle's workflows: {_STEER}."

DISABLED = (
    "WorkflowResetDisabled",
    "WorkflowUpdateDisabled",
    "WorkflowPauseDisabled",
    "BatchActionsDisabled",
    "StartWorkflowDisabled",
    "ActivityCommandsDisabled",
)
"""The Web UI's settings that hide what is refused."""


def is_read(method: str, path: str) -> bool:
    """Tell whether a request only reads; queries are posted."""
    if method == "POST":
        return bool(_QUERY.fullmatch(path))
    is_known = _PAGES.fullmatch(path) or _READS.fullmatch(path)
    return method in {"GET", "HEAD"} and bool(is_known)


def is_action(method: str, path: str) -> bool:
    """Tell whether a request is an action on one workflow that Treadle supports."""
    return method == "POST" and bool(_ACTIONS.fullmatch(path))


def refusal(path: str) -> str:
    """Return why an action is refused, and what to do instead."""
    return next((words for place, words in _REFUSALS if re.fullmatch(place, path)), _OTHER)


def refusal_body(words: str, code: int, kind: str) -> bytes:
    """Return words in the form of Temporal's own errors, which the Web UI shows, with our type."""
    return json.dumps({"code": code, "message": words, "details": [], "type": kind}).encode()


def rewrite_settings(found: dict[str, Any], codec_url: str) -> dict[str, Any]:
    """Return the Web UI's settings with our codec server, and without what is refused."""
    given: dict[str, Any] = found.get("Codec") or {}
    codec = {
        **given,
        "Endpoint": codec_url,
        "PassAccessToken": False,
        "IncludeCredentials": True,
    }
    return {**found, "Codec": codec, **dict.fromkeys(DISABLED, True)}
