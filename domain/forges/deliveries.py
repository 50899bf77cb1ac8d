"""What a forge's webhook says may have changed, read from its event and payload.

A payload is text from outside, even when it is signed: only addresses, numbers, ids and commits are read,
each of its own form, and nothing of it is taken as a decision.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from domain.forges.hints import ForgeHint
from domain.forges.issues import IssueId
from domain.forges.projects import ForgeProject, project_of

Payload = Mapping[str, Any]

MAX_NUMBER = 2**53
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.ASCII)
_ADDRESS_LENGTH = 2_000


def hint_of(kind: str, event: str, payload: Any, delivery: str) -> ForgeHint | None:
    """Return what a delivery of a forge makes us look at; None where nothing of it concerns us."""
    read = _READERS[kind].get(event)
    if read is None or not isinstance(payload, dict):
        return None
    known = cast("Payload", payload)
    project = _project(known)
    if project is None:
        return None
    found = read(known)
    if found is None:
        return None
    hint = ForgeHint(hint_id=delivery, project=project, **found)
    if hint.issue is None:
        return hint
    return hint.model_copy(update={"issue": hint.issue.model_copy(update={"tracker": kind})})


def events_of(kind: str) -> frozenset[str]:
    """Return the events of a forge that are understood."""
    return frozenset(_READERS[kind])


def at(payload: Any, *path: str) -> Any:
    """Return what is at a path in a payload; None where there is nothing."""
    for name in path:
        if not isinstance(payload, dict):
            return None
        payload = cast("Payload", payload).get(name)
    return payload


def _project(payload: Payload) -> ForgeProject | None:
    """Return the project: by its page's address, which GitHub and Gitea, and GitLab, have in two places."""
    pages = (at(payload, "repository", "html_url"), at(payload, "project", "web_url"))
    for page in pages:
        if isinstance(page, str) and len(page) <= _ADDRESS_LENGTH and "://" in page:
            return project_of(page)
    return None


def _number(value: Any) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 < value < MAX_NUMBER else None


def _commit(value: Any) -> str:
    return value if isinstance(value, str) and _COMMIT.fullmatch(value) else ""


def _pull_request(*path: str) -> Callable[[Payload], dict[str, Any] | None]:
    def read(payload: Payload) -> dict[str, Any] | None:
        number = _number(at(payload, *path))
        return None if number is None else {"pull_request": number}

    return read


def _of_commit(*path: str) -> Callable[[Payload], dict[str, Any] | None]:
    def read(payload: Payload) -> dict[str, Any] | None:
        commit = _commit(at(payload, *path))
        return {"commit": commit} if commit else None

    return read


def _issue_id(identity: Any, number: Any) -> dict[str, Any] | None:
    found, shown = _number(identity), _number(number)
    if found is None or shown is None:
        return None
    return {"issue": IssueId(tracker="", id=str(found), key=f"#{shown}")}


def _issue(payload: Payload) -> dict[str, Any] | None:
    """Read an issue of GitHub or Gitea; a comment on a pull request is one on an issue there."""
    if at(payload, "issue", "pull_request") or at(payload, "is_pull") is True:
        return _pull_request("issue", "number")(payload)
    return _issue_id(at(payload, "issue", "id"), at(payload, "issue", "number"))


def _push(payload: Payload) -> dict[str, Any] | None:
    """A push to a branch may be of a head or of a base: any pull request of the project may have changed."""
    ref = payload.get("ref")
    is_branch = isinstance(ref, str) and ref.startswith("refs/heads/")
    return {"is_of_code": True} if is_branch else None


def _gitlab_issue(payload: Payload) -> dict[str, Any] | None:
    work = at(payload, "object_attributes")
    return _issue_id(at(work, "id"), at(work, "iid"))


def _gitlab_note(payload: Payload) -> dict[str, Any] | None:
    """Read a comment on a merge request or an issue; others are of commits and snippets."""
    if (number := _number(at(payload, "merge_request", "iid"))) is not None:
        return {"pull_request": number}
    return _issue_id(at(payload, "issue", "id"), at(payload, "issue", "iid"))


def _gitlab_pipeline(payload: Payload) -> dict[str, Any] | None:
    if (number := _number(at(payload, "merge_request", "iid"))) is not None:
        return {"pull_request": number}
    return _of_commit("object_attributes", "sha")(payload)


_OF_PULL_REQUEST = _pull_request("pull_request", "number")


def _gitea_pull_request(payload: Payload) -> dict[str, Any] | None:
    """Read a pull request of Gitea; a comment on one has it as an issue."""
    return _OF_PULL_REQUEST(payload) or _pull_request("issue", "number")(payload)


_GITHUB: Mapping[str, Callable[[Payload], dict[str, Any] | None]] = {
    "pull_request": _OF_PULL_REQUEST,
    "pull_request_review": _OF_PULL_REQUEST,
    "pull_request_review_comment": _OF_PULL_REQUEST,
    "pull_request_review_thread": _OF_PULL_REQUEST,
    "check_run": _of_commit("check_run", "head_sha"),
    "check_suite": _of_commit("check_suite", "head_sha"),
    "workflow_run": _of_commit("workflow_run", "head_sha"),
    "status": _of_commit("sha"),
    "issues": _issue,
    "issue_comment": _issue,
    "push": _push,
}

_GITEA: Mapping[str, Callable[[Payload], dict[str, Any] | None]] = {
    **dict.fromkeys(
        (
            *("pull_request", "pull_request_assign", "pull_request_label", "pull_request_sync"),
            *("pull_request_milestone", "pull_request_comment", "pull_request_review_request"),
            *("pull_request_approved", "pull_request_rejected", "pull_request_review_approved"),
            *("pull_request_review_rejected", "pull_request_review_comment"),
        ),
        _gitea_pull_request,
    ),
    **dict.fromkeys(
        ("issues", "issue_assign", "issue_label", "issue_milestone", "issue_comment"), _issue
    ),
    "status": _of_commit("sha"),
    "push": _push,
}

_GITLAB: Mapping[str, Callable[[Payload], dict[str, Any] | None]] = {
    "Merge Request Hook": _pull_request("object_attributes", "iid"),
    "Note Hook": _gitlab_note,
    "Issue Hook": _gitlab_issue,
    "Pipeline Hook": _gitlab_pipeline,
    "Push Hook": _push,
}

_READERS = {"github": _GITHUB, "gitea": _GITEA, "gitlab": _GITLAB}
