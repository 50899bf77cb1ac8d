"""Tool calls of an earlier process may still be shown: none is given its id again."""

from pathlib import Path
from typing import Any, cast
from unittest.mock import AsyncMock, Mock

from cli.acp.asking import Asking
from cli.acp.asks import Ask
from cli.acp.engine import Engine
from cli.acp.own_commands import show_diff
from tests.cli.acp.engine_stand_in import THREAD, VIEW, a_moment

FOLDER = Path("/code/app")
PATCH = """diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-a
+b
"""


async def test_changes_are_shown_by_calls_of_their_own():
    engine: Any = AsyncMock()
    engine.text.return_value = PATCH
    shown = [await show_diff(engine, VIEW, [], FOLDER) for _ in range(2)]
    assert len({call.tool_call_id for call in shown}) == 2


async def test_what_is_asked_again_after_a_restart_is_another_call(engine):
    ask = Ask(key="r@c", title="Approve it", by_command="treadle approve", options=(), text="It")
    ids: set[str] = set()
    for _ in range(2):
        editor: Any = AsyncMock()
        editor.ask.return_value = None
        asking = Asking(cast(Engine, engine), editor, "s", Mock())
        asking.put(THREAD, [ask], FOLDER)
        await a_moment()
        ids.add(editor.ask.await_args.args[1].tool_call_id)
    assert len(ids) == 2
    assert all(name.endswith(":r@c") for name in ids)
