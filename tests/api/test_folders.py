"""Paths of repositories, completed while they are typed."""

import asyncio
import os
from pathlib import Path

import pytest

from tests.api.conftest import client_of


@pytest.fixture
def code(tmp_path):
    for name in ("shop/.git", "shows", "Shed", ".hidden", "other"):
        (tmp_path / "code" / name).mkdir(parents=True)
    (tmp_path / "code" / "short.txt").write_text("no folder")
    return str(tmp_path / "code")


async def completed(down_app, settings, beginning):
    async with client_of(down_app, settings) as client:
        answer = await client.get("/v1/repositories/folders", params={"beginning": beginning})
    assert answer.status_code == 200, answer.text
    return [(line["path"], line["is_repository"]) for line in answer.json()["folders"]]


async def test_folders_are_found_by_their_beginning_and_repositories_come_first(
    down_app, settings, code
):
    assert await completed(down_app, settings, f"{code}/sh") == [
        (f"{code}/shop", True),
        (f"{code}/Shed", False),
        (f"{code}/shows", False),
    ]
    assert await completed(down_app, settings, f"{code}/.") == [(f"{code}/.hidden", False)]
    assert (f"{code}/.hidden", False) not in await completed(down_app, settings, f"{code}/")


@pytest.mark.parametrize("name", [b"sh\xff", b"sh\nop", b"sh\x1b[2J"])
async def test_folders_whose_names_cannot_be_shown_are_passed_over(down_app, settings, code, name):
    await asyncio.to_thread(Path(code, os.fsdecode(name)).mkdir)
    assert f"{code}/shop" in dict(await completed(down_app, settings, f"{code}/sh"))
    assert len(await completed(down_app, settings, f"{code}/sh")) == 3


@pytest.mark.parametrize("beginning", ["shop", "~/code", "/nowhere/at/all/", "/\0", "https://a/b"])
async def test_what_is_no_folder_has_no_completion(down_app, settings, beginning):
    assert await completed(down_app, settings, beginning) == []
