"""Which Treadle has used a data folder: one that is too old for what is in it refuses to start (docs/adr/0068)."""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from adapters.files.state_files import write_atomic
from adapters.journal.schema import generation_of, newest_revision

NAME = "version.json"


class DataVersionError(Exception):
    """The data folder was used by a Treadle that is too new; the message says what to do."""


def check_data_version(data_dir: Path) -> None:
    """Refuse a folder of a Treadle that is more than one version newer; note this one in an older folder.

    What versions keep in a folder differs by generation, like the journal: the code of a generation goes on
    in a folder that the next one has used, and leaves its mark there. A folder without a mark is of before.

    Raises:
        DataVersionError: It is too new.
    """
    ours = generation_of(newest_revision())
    generation, name = _noted(data_dir / NAME)
    if generation > ours + 1:
        raise DataVersionError(
            f"the data folder {data_dir} was used by Treadle {name}, more than one version newer than this one "
            f"({version('treadle')}): install {name} or newer again, or restore the backup from before the upgrade"
        )
    noted = {"generation": ours, "treadle": version("treadle")}
    if generation < ours or (generation == ours and name != noted["treadle"]):
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomic(data_dir / NAME, json.dumps(noted), is_durable=True)


def _noted(file: Path) -> tuple[int, str]:
    """Return the generation that a folder was used by, and its version; 0 where nothing readable says it."""
    try:
        found: dict[str, Any] = json.loads(file.read_bytes())
        return int(found["generation"]), str(found["treadle"])[:80]
    except (OSError, ValueError, KeyError, TypeError):
        return 0, ""
