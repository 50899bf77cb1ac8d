"""Every route that takes a folder answers an odd one with a sentence, never with a failure of ours."""

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.e2e

ODD_FOLDERS = {
    "one long name": "/" + "x" * 4000,
    "many names": "/x" * 2047,
    "long in bytes": "/" + "é" * 200,
    "root of a process": "/proc/1/root",
    "memory of a process": "/proc/self/mem",
    "below a device": "/dev/null/x",
    "zero byte": "/srv/a\0b",
    "line break": "/srv/a\nb",
    "escape": "/srv/a\x1b[31m",
    "relative": "some/where",
    "home": "~/project",
    "file": "/etc/passwd",
    "absent": "/no/such/folder",
}

WORST = ("one long name", "root of a process", "zero byte", "below a device")
"""Those that every writing route is tried with; a minute has room for only so many writes."""

HASH = "0" * 64

READS = (
    "/v1/repositories/trust",
    "/v1/templates",
    "/v1/templates/single",
    "/v1/flows",
    "/v1/flows/mine",
    "/v1/workflow-templates",
    "/v1/workflow-templates/mine",
    "/v1/agents",
    "/v1/agents/scripted",
)
"""Routes that read; a list shows what there is without the folder."""


def _thread(folder: str) -> dict[str, Any]:
    return {"goal": "Do it", "agent": "scripted", "repository": folder, "is_planned": True}


def writes(folder: str) -> dict[str, dict[str, Any]]:
    """A body for each route that is sent a folder."""
    asked = {"content_hash": HASH, "repository": folder}
    return {
        "/v1/repositories/trust": asked,
        "/v1/templates": {"name": "mine", "repository": folder},
        "/v1/templates/trust": {**asked, "template": "mine"},
        "/v1/flows/check": {"content": "{}", "repository": folder},
        "/v1/flows/trust": {**asked, "flow": "mine"},
        "/v1/agents/scripted/trust": asked,
        "/v1/agents/scripted/try": {"repository": folder},
        "/v1/flows/user:mine/runs": {"agent": "scripted", "working_folder": folder},
        "/v1/workflow-templates/feature/start": {"repository": folder, "agent": "scripted"},
    }


def shown(answers: list[httpx.Response]) -> dict[str, tuple[int, str]]:
    """Return what each route said."""
    return {f"{a.request.method} {a.request.url.path}": (a.status_code, a.text) for a in answers}


@pytest.mark.parametrize("folder", ODD_FOLDERS.values(), ids=ODD_FOLDERS)
async def test_no_thread_is_opened_on_an_odd_folder(http: httpx.AsyncClient, folder: str):
    answer = await http.post("/v1/threads", json=_thread(folder))
    assert answer.status_code == 422, answer.text
    assert len(answer.json()["detail"]) < 500


@pytest.mark.parametrize("folder", ODD_FOLDERS.values(), ids=ODD_FOLDERS)
async def test_reading_an_odd_folder_gets_a_sentence(http: httpx.AsyncClient, folder: str):
    said = shown([await http.get(path, params={"repository": folder}) for path in READS])
    assert not {door: what for door, what in said.items() if what[0] >= 500}


@pytest.mark.parametrize("folder", WORST)
async def test_writing_to_an_odd_folder_gets_a_sentence(http: httpx.AsyncClient, folder: str):
    bodies = writes(ODD_FOLDERS[folder])
    said = shown([await http.post(path, json=body) for path, body in bodies.items()])
    assert not {door: what for door, what in said.items() if what[0] >= 500}
