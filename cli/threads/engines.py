"""The engine of a command that starts work: the running one, or one that is started in the background."""

import subprocess
import sys
from pathlib import Path

from address import read_server
from cli.core.client import Client
from cli.core.console import load_settings, say
from cli.core.errors import CommandError, UnreachableError
from domain.core.remote_repositories import is_remote


def _refuse_hopeless(repository: Path | None, agent: str | None) -> None:
    """Refuse what the engine would refuse, before it is started.

    Raises:
        CommandError: The folder is not a git repository, or there is no agent.
    """
    if repository is not None:
        _refuse_folder(repository)
    if agent is None:
        raise CommandError(
            "set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for the built-in agent, or choose "
            "one with --agent; list them with `treadle agents`"
        )


def _refuse_folder(repository: Path) -> None:
    if not repository.is_dir():
        raise CommandError(f"{repository} is not a folder: name a git repository with --repo")
    has_git = any((folder / ".git").exists() for folder in (repository, *repository.parents))
    if not has_git and not (repository / "HEAD").exists():  # which a bare one has
        raise CommandError(
            f"{repository} is not a git repository: run `git init`, or name one with --repo"
        )


def engine_for(repository: str, agent: str | None) -> Client:
    """Return a client of the engine; start one in the background if none is running.

    Raises:
        CommandError: The engine would refuse the request, or did not start.
    """
    settings = load_settings()
    server = read_server(settings.data_dir)
    if server is not None:
        return Client(settings, server)
    client = Client(settings)
    if client.is_answered():
        return client
    folder = None if is_remote(repository) else Path(repository)
    _refuse_hopeless(folder, agent or settings.default_agent)
    say("Starting an engine in the background; stop it with `treadle down`.")
    started = subprocess.run([sys.executable, "-P", "-m", "treadle", "up", "--detach"], check=False)
    if started.returncode != 0:
        raise UnreachableError("the engine did not start: see above, or run `treadle doctor`")
    return client
