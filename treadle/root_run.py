"""A run of root: said by `up` and `doctor`, refused where the settings say so, or given to a user (0039)."""

import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from adapters.root import root_refusal
from settings import Settings, environment_of
from treadle.engine import LAUNCH, EngineError
from treadle.finding import Finding

_PROBE_SECONDS = 60
_LEFT_OUT = ("XDG_", "SUDO_")
_OTHER_WAY = (
    "start it as an ordinary user, or as root with `treadle up --user NAME`; TREADLE_ROOT=refuse "
    "forbids running as root"
)


def root_words(settings: Settings) -> str:
    """Return what a person is told of a run as root; nothing for others.

    Raises:
        EngineError: The settings forbid it.
    """
    if refusal := root_refusal(settings.root):
        raise EngineError(refusal)
    if os.geteuid():
        return ""
    return f"running as root: {_reach(settings)}; {_OTHER_WAY}"


def root_findings(settings: Settings) -> list[Finding]:
    """Tell `doctor` who Treadle runs as."""
    name = _name(os.geteuid())
    is_root = os.geteuid() == 0
    found = f"{name}: {_reach(settings)}" if is_root else name
    fix = _OTHER_WAY[0].upper() + _OTHER_WAY[1:]
    return [Finding(name="user", is_well=not is_root, is_required=False, found=found, fix=fix)]


def become(name: str) -> NoReturn:
    """Begin `treadle up` anew as an ordinary user, who gets an environment and a data folder of its own.

    Raises:
        EngineError: There is no such user, it may not be changed to, or it cannot run this program.
    """
    if os.geteuid():
        raise EngineError(f"--user {name}: only root can start as another user")
    try:
        user = pwd.getpwnam(name)
    except KeyError:
        raise EngineError(f"--user {name}: no such user") from None
    if user.pw_uid == 0:
        raise EngineError(f"--user {name} is root: name an ordinary user")
    environment = _environment_of(user)
    _try_program(user, environment)
    arguments = _without_user(sys.argv[1:])
    os.initgroups(user.pw_name, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    os.chdir(user.pw_dir if os.access(user.pw_dir, os.X_OK) else os.sep)
    os.execve(LAUNCH[0], [*LAUNCH, *arguments], environment)  # noqa: S606  (our own launcher)


def _environment_of(user: pwd.struct_passwd) -> dict[str, str]:
    mine = environment_of(Settings.model_construct())
    kept = {n: v for n, v in mine.items() if not n.startswith(_LEFT_OUT)}
    own = {"HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name}
    return {**kept, **own, "SHELL": user.pw_shell or "/bin/sh"}


def _try_program(user: pwd.struct_passwd, environment: dict[str, str]) -> None:
    try:
        subprocess.run(  # noqa: S603  (our own launcher)
            [*LAUNCH, "--version"],
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=os.getgrouplist(user.pw_name, user.pw_gid),
            env=environment,
            cwd=os.sep,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        raise EngineError(
            f"--user {user.pw_name}: that user cannot run {Path(LAUNCH[0])}; install Treadle where "
            "others can read it, or as that user"
        ) from None


def _without_user(arguments: list[str]) -> list[str]:
    """Return a command line without `--user NAME`, in either spelling."""
    left: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--user":
            next(words, None)
        elif not word.startswith("--user="):
            left.append(word)
    return left


def _reach(settings: Settings) -> str:
    if settings.sandbox == "off":
        return "agents and steps can read and write everything that root can"
    return (
        "agents and steps have root's rights in their workspaces; most other files that only root "
        "may read are hidden from them (ADR 0039)"
    )


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
