"""Repositories by URL: how they are written, and what may be written.

`https://git.example/team/app.git@main` is a branch, tag or commit of one; what a thread keeps is
the same with the whole id of a commit, so that every host finds the same files.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from domain.core.ids import slug
from domain.core.remote_errors import InvalidRepositoryUrlError
from domain.core.wire import Wire

SAFE_SCHEMES = ("https", "ssh")
"""What is allowed unless a setting says otherwise."""

SCHEMES = (*SAFE_SCHEMES, "http", "file")
"""All that can be allowed: no helper program of git's can be named."""

_LOOKS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(//|:)")
_SCP = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]*)@([A-Za-z0-9][A-Za-z0-9.-]*):(?!/)([^\s:]+)")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_PATH = re.compile(r"/[A-Za-z0-9_.~+%/-]+")
_REF = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+=-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_MAX_URL, _MAX_REF = 1000, 250


class RemoteRepository(Wire):
    """A repository at a URL, without any password, and a branch, tag or commit of it; empty is its HEAD."""

    url: str
    ref: str = ""

    def __str__(self) -> str:
        return f"{self.url}@{self.ref}" if self.ref else self.url

    @property
    def is_pinned(self) -> bool:
        """Whether it names a commit by its whole id."""
        return bool(_COMMIT.fullmatch(self.ref))

    @property
    def name(self) -> str:
        """What the repository is called, which is the last part of its URL."""
        return self.url.rpartition("/")[2].removesuffix(".git") or "repository"

    @property
    def key(self) -> str:
        """A name of the repository that no other URL has, the same on all hosts."""
        return f"{slug(self.name)}-{hashlib.sha256(self.url.encode()).hexdigest()[:12]}"

    def at(self, commit: str) -> "RemoteRepository":
        """Return the same repository at a commit."""
        return RemoteRepository(url=self.url, ref=commit)


def is_remote(repository: str) -> bool:
    """Tell whether a repository is named by a URL, right or wrong, rather than by a path."""
    return bool(_LOOKS.match(repository) or _SCP.fullmatch(repository))


def local_folder(repository: str | None) -> str | None:
    """Return the folder whose files can be read here; a URL has none until a host has fetched it."""
    return None if repository is None or is_remote(repository) else repository


def read_remote(text: str, schemes: Sequence[str] = SAFE_SCHEMES) -> RemoteRepository:
    """Read `URL[@ref]`; `user@host:path` becomes a URL of ssh.

    Raises:
        InvalidRepositoryUrlError: It is no URL of a repository, holds a password, or has a scheme
            that is not among `schemes`.
    """
    if scp := _SCP.fullmatch(text):
        text = f"ssh://{scp[1]}@{scp[2]}/{scp[3]}"
    if len(text) > _MAX_URL or not text.isprintable() or any(map(str.isspace, text)):
        raise InvalidRepositoryUrlError(
            f"the URL of a repository has at most {_MAX_URL} characters and no spaces"
        )
    scheme, user, host, port, path = _parts(text)
    if scheme not in schemes:
        raise InvalidRepositoryUrlError(
            f"repositories cannot be at {scheme!r} URLs here: use {' or '.join(schemes)}, or have an "
            "administrator allow it with TREADLE_REPOSITORY_SCHEMES"
        )
    _refuse_user(scheme, user)
    path, _, ref = path.partition("@")
    path = path.rstrip("/")
    is_local = scheme == "file"
    if bool(host) is is_local or not _PATH.fullmatch(path) or "/.." in f"{path}/":
        raise InvalidRepositoryUrlError(
            "the URL needs a host and a path of letters, digits and -._~+%, such as "
            "https://git.example/team/app.git; write an @ in its path as %40"
        )
    if not is_local and not _HOST.fullmatch(host):
        raise InvalidRepositoryUrlError(f"{host!r} is not the name of a host")
    return RemoteRepository(url=_url(scheme, user, host, port) + path, ref=_checked(ref))


def pinned(repository: str) -> RemoteRepository | None:
    """Return what a thread keeps as its repository, if that is a URL at a commit."""
    if not is_remote(repository):
        return None
    try:
        found = read_remote(repository, SCHEMES)
    except InvalidRepositoryUrlError:
        return None
    return found if found.is_pinned else None


def _parts(text: str) -> tuple[str, str, str, int | None, str]:
    try:
        parts = urlsplit(text)
        port: Any = parts.port
    except ValueError as error:
        raise InvalidRepositoryUrlError(
            f"the URL of the repository cannot be read: {error}"
        ) from error
    if parts.query or parts.fragment or "?" in text:
        raise InvalidRepositoryUrlError("the URL of a repository has no `?` and no `#`")
    user = parts.netloc.rpartition("@")[0]
    return parts.scheme, user, parts.hostname or "", port, parts.path


def _refuse_user(scheme: str, user: str) -> None:
    if scheme == "ssh" and (not user or _USER.fullmatch(user)):
        return
    if user:
        raise InvalidRepositoryUrlError(
            "the URL of a repository must hold no user name or password (ssh: no password): set up a "
            "credential helper of git, or an ssh key, for the user that runs Treadle"
        )


def _url(scheme: str, user: str, host: str, port: int | None) -> str:
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}://{f'{user}@' if user else ''}{named}{f':{port}' if port else ''}"


def _checked(ref: str) -> str:
    is_valid = bool(_REF.fullmatch(ref)) and len(ref) <= _MAX_REF
    odd = any(part in f"{ref}/" for part in ("..", "//", "/.", "./", ".lock/"))
    if ref and (not is_valid or odd):
        raise InvalidRepositoryUrlError(
            "what follows the @ is not a branch, a tag or a commit: give its name as git has it"
        )
    return ref
