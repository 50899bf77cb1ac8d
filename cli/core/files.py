"""Writing files completely or not at all."""

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from cli.core.errors import CommandError
from domain.core.text import no_room_words


def write_whole(file: Path, pieces: Iterable[str], *, replaces: bool = True) -> None:
    """Write a file that appears once it is complete.

    Raises:
        CommandError: It cannot be written, or exists and must not be replaced.
    """
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("x", encoding="utf-8") as out:
            out.writelines(pieces)
        if replaces:
            draft.replace(file)
        else:
            os.link(draft, file)
    except FileExistsError as error:
        raise CommandError(f"{file} already exists: choose another file, or add --force") from error
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {_why(error, file.parent)}") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _why(error: OSError, folder: Path) -> str:
    if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
        return error.strerror or str(error)
    return no_room_words(str(folder.absolute()), shutil.disk_usage(folder).free)
