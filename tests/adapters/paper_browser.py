"""A browser that is told what to do over pipes and makes a picture of nothing."""

import base64
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from adapters.verification.camera import BROWSERS
from tests.adapters.test_pictures import PNG

ANSWERS: Mapping[str, object] = {
    "Target.getTargets": {"targetInfos": [{"type": "page", "targetId": "1"}]},
    "Target.attachToTarget": {"sessionId": "s"},
    "Page.navigate": {"frameId": "1"},
    "Page.captureScreenshot": {"data": base64.b64encode(PNG).decode()},
}

_PROGRAM = """#!{python} -I
import json, os, sys
answers = json.loads({answers!r})
def say(**said):
    os.write(4, json.dumps(said).encode() + b"\\0")
left = b""
while chunk := os.read(3, 65536):
    *whole, left = (left + chunk).split(b"\\0")
    for asked in map(json.loads, whole):
        answer = answers.get(asked["method"], {{}})
        if answer == "exit":
            sys.exit("out of memory")
        if answer is None:
            say(id=asked["id"], error={{"message": "no such thing"}})
        elif answer != "silence":
            say(id=asked["id"], result=answer)
        if asked["method"] == "Emulation.setVirtualTimePolicy":
            say(method="Emulation.virtualTimeBudgetExpired", params={{}}, sessionId="s")
"""


def browser_in(folder: Path, said: Mapping[str, object] | None = None) -> Path:
    """Return a folder with a browser; `said` is what it answers otherwise than one that works."""
    answers = json.dumps({**ANSWERS, **(said or {})})
    program = folder / BROWSERS[0]
    program.write_text(_PROGRAM.format(python=sys.executable, answers=answers))
    program.chmod(0o755)
    return folder
