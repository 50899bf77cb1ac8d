"""What an engine tells that is newer than the program is not asked about: the person would see a part of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from cli.acp.engine import Look
from cli.acp.following import Following
from tests.cli.acp.test_asks import VIEW


@pytest.mark.parametrize("is_whole", [True, False])
async def test_only_what_is_shown_whole_is_asked(desk, is_whole):
    following = Following(replace(desk, approves=True), "acp-1", Path("/code/app"))
    asked = []
    following.asking.put = lambda _thread, asks, _folder: asked.extend(asks)
    turn = following.begin_turn()
    turn.is_said = True

    await following._show(Look(VIEW, is_whole))

    assert len(asked) == is_whole
    told = str(desk.editor.tell.await_args_list)
    assert ("update Treadle here first" in told) is not is_whole
