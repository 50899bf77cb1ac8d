"""The file `people.toml` of the configuration folder: read again whenever it changes."""

import logging
import tomllib
from pathlib import Path

from pydantic import ValidationError

from domain.people.access import PeopleFileError
from domain.people.directory import Directory

NAME = "people.toml"

_LOG = logging.getLogger(__name__)
_Stamp = tuple[int, int, int]


class PeopleFile:
    """The directory in a file; without the file there is one person only.

    A file that is wrong lets nobody in but the owner: an older version of it might give a role that
    was taken away.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: _Stamp | None = None
        self._directory: Directory | None = None
        self._problem = ""

    def read(self) -> Directory | None:
        """Return the directory as the file has it now.

        Raises:
            PeopleFileError: The file cannot be read or is wrong.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            self._stamp, self._directory, self._problem = None, None, ""
            return None
        except OSError as error:
            raise PeopleFileError(f"{self.path} cannot be read: {error.strerror}") from error
        stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
        if stamp != self._stamp:
            self._load()
            self._stamp = stamp
        if self._problem:
            raise PeopleFileError(self._problem)
        return self._directory

    def _load(self) -> None:
        try:
            self._directory = Directory.model_validate(tomllib.loads(self.path.read_text("utf-8")))
            self._problem = ""
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            self._problem = f"{NAME} cannot be read: {error}"
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            self._problem = ": ".join(filter(None, (NAME, place, first["msg"])))
        if self._problem:
            _LOG.error("people.toml is wrong: only the owner is let in: %s", self._problem)
