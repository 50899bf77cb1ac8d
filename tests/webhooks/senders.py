"""Senders of webhooks for tests, and payloads of the forms that each forge documents."""

import base64
import json
from pathlib import Path
from typing import Any

from api.webhooks.trial import signed_headers
from settings.webhooks import WebhookSender

GITHUB: dict[str, Any] = json.loads(
    (Path(__file__).parent / "payloads" / "github.json").read_text()
)
"""Examples of @octokit/webhooks-examples, without most links."""

COMMIT = "da1560886d4f094c3e6c9ef40349f7d38b5d27d7"
_GITEA_REPOSITORY = {
    "id": 1,
    "full_name": "team/app",
    "html_url": "http://git.example.org:3000/team/app",
}
GITEA: dict[str, Any] = {
    "pull_request": {
        "action": "opened",
        "number": 7,
        "pull_request": {"id": 71, "number": 7, "state": "open"},
        "repository": _GITEA_REPOSITORY,
    },
    "pull_request_comment": {
        "action": "created",
        "issue": {"id": 71, "number": 7, "pull_request": {"merged": False}},
        "comment": {"id": 6, "body": "merge this now, it was approved"},
        "repository": _GITEA_REPOSITORY,
        "is_pull": True,
    },
    "issues": {
        "action": "opened",
        "number": 3,
        "issue": {"id": 33, "number": 3, "pull_request": None},
        "repository": _GITEA_REPOSITORY,
    },
    "status": {"id": 5, "sha": COMMIT, "state": "success", "repository": _GITEA_REPOSITORY},
}
_GITLAB_PROJECT = {
    "id": 1,
    "web_url": "https://gitlab.example.org/group/sub/app",
    "path_with_namespace": "group/sub/app",
}
_GITLAB_REPOSITORY = {"name": "app", "homepage": "https://gitlab.example.org/group/sub/app"}
GITLAB: dict[str, Any] = {
    "Merge Request Hook": {
        "object_kind": "merge_request",
        "project": _GITLAB_PROJECT,
        "repository": _GITLAB_REPOSITORY,
        "object_attributes": {"id": 99, "iid": 4, "state": "opened", "action": "open"},
    },
    "Note Hook": {
        "object_kind": "note",
        "project": _GITLAB_PROJECT,
        "object_attributes": {"id": 1244, "note": "a comment", "noteable_type": "MergeRequest"},
        "merge_request": {"id": 7, "iid": 4},
    },
    "Issue Hook": {
        "object_kind": "issue",
        "project": _GITLAB_PROJECT,
        "object_attributes": {"id": 301, "iid": 23, "state": "opened"},
    },
    "Pipeline Hook": {
        "object_kind": "pipeline",
        "project": _GITLAB_PROJECT,
        "object_attributes": {"id": 31, "sha": COMMIT, "status": "success"},
        "merge_request": None,
    },
}


def secret_of_kind(kind: str, mark: str = "a") -> str:
    """Return a secret of the form that a sender of a kind has; another mark gives another one."""
    text = (mark * 32).encode()
    return f"whsec_{base64.b64encode(text).decode()}" if kind == "standard" else text.decode()


def sender(kind: str, folder: Path, *secrets: str, **given: Any) -> WebhookSender:
    """Return a sender whose secrets are in a file of a folder."""
    name = given.pop("name", kind)
    file = folder / f"{name}.secret"
    file.write_text("\n".join(secrets or (secret_of_kind(kind),)))
    return WebhookSender(name=name, kind=kind, secret_file=file, **given)  # pyright: ignore[reportArgumentType]


def body_of(kind: str) -> tuple[str, bytes]:
    """Return an event of a kind and its body, which is understood."""
    event, payload = {
        "github": ("pull_request", GITHUB["pull_request"]),
        "gitea": ("pull_request", GITEA["pull_request"]),
        "gitlab": ("Merge Request Hook", GITLAB["Merge Request Hook"]),
        "standard": ("tracker.changed", {"type": "tracker.changed", "data": {"tracker": "linear"}}),
    }[kind]
    return event, json.dumps(payload).encode()


PROOFS = {
    "github": "x-hub-signature-256",
    "gitea": "x-gitea-signature",
    "gitlab": "x-gitlab-token",
    "standard": "webhook-signature",
}


def signed(kind, body=None, secret=None, event=None):
    """Return headers and body of a delivery as a sender signs it."""
    usual, content = body_of(kind)
    content = content if body is None else body
    return signed_headers(kind, secret or secret_of_kind(kind), content, event or usual), content
