"""Redaction of this host's secrets in what the API stores and logs, and refusal of names that hold one."""

from collections.abc import Iterator
from typing import Any, cast

from adapters.files.agent_profiles import AgentFiles
from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.known_secrets import known_secrets
from adapters.redaction import Redactor
from domain.core.errors import InvalidError
from settings import Settings, config_dir, environment_of


def make_redactor(settings: Settings) -> Redactor:
    """Return a redactor of this host's secrets."""
    files = [SecretFile(path) for path in (settings.token_file, settings.code_key_file)]
    keys = [*files, KeyRing(settings.payload_key_file)]
    named = AgentFiles(config_dir()).variables()
    return Redactor(known_secrets(environment_of(settings), named, keys))


def refuse_secret_name(redactor: Redactor, name: str) -> None:
    """Refuse a name that ids are made of, and that would be redacted where it is kept.

    Raises:
        InvalidError: It looks like a secret, or holds one of this host.
    """
    clean = redactor.text(name)
    if clean != name:
        raise InvalidError(f"the name {clean!r} looks like a secret or holds one: choose another")


def refuse_secret_ids(redactor: Redactor, proposed: dict[str, Any]) -> None:
    """Refuse a plan or an amendment with such a name as an id, wherever it stands.

    Raises:
        InvalidError: It has one.
    """
    for name in _ids(proposed):
        refuse_secret_name(redactor, name)


def _ids(proposed: dict[str, Any]) -> Iterator[str]:
    rest: list[Any] = [proposed]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            fields = cast("dict[str, Any]", value)
            rest += fields.values()
            if isinstance(name := fields.get("id"), str):
                yield name
        elif isinstance(value, list):
            rest += cast("list[Any]", value)
