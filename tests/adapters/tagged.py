"""Processes found by a tag in their arguments, wherever they moved."""

import os
import time
from pathlib import Path

from adapters.processes.run_ledger import identify


def of_tag(tag: str) -> list[int]:
    """Return the processes whose arguments hold a tag, the dead ones left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                is_tagged = tag.encode() in (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if is_tagged and identify(int(entry.name)) is not None:
                found.append(int(entry.name))
    return found


def wait_until_gone(tag: str, seconds: float = 60) -> list[int]:
    deadline = time.monotonic() + seconds
    while (left := of_tag(tag)) and time.monotonic() < deadline:
        time.sleep(0.02)  # the kernel's work on processes that are no children of ours
    return left
