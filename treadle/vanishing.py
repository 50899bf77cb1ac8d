"""An engine's files while it runs: one that is removed or replaced takes what is written with it.

The processes have the files open, so they would go on, and acknowledge what nobody finds again.
"""

import asyncio

from adapters.sqlite_files import identity
from settings import Settings
from treadle.databases import database_files

LOOK_SECONDS = 1.0


async def until_a_file_is_gone(settings: Settings) -> str:
    """Wait until a database or the data folder is removed or replaced; returns words for people.

    A file counts from when it is first seen: Temporal's server makes its own.
    """
    files = {"data folder": settings.data_dir}
    files |= {f"{name} database": file for name, file in database_files(settings).items()}
    known: dict[str, tuple[int, int]] = {}
    while True:
        for name, file in files.items():
            found = identity(file)
            if found is not None:
                known.setdefault(name, found)
            if found != known.get(name):
                return (
                    f"the {name} {file} was removed or replaced while the engine ran, so the engine "
                    "stopped: put it back as it was, or `treadle restore BACKUP`, then `treadle up`"
                )
        await asyncio.sleep(LOOK_SECONDS)
