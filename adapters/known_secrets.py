"""Which values are secret on this host: variables by their names, and the installation's own files."""

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import urlsplit

from adapters.files.secret_file import SecretFile
from adapters.redaction import is_secret_name

_PLAIN_NAME = re.compile(r"_(?:MODEL|HOST|PROXY)$", re.IGNORECASE)


def known_secrets(
    variables: Mapping[str, str], named: Collection[str], files: Iterable[SecretFile]
) -> dict[str, str]:
    """Return secret values by name, of the environment and of files of keys, made where missing.

    A variable is secret by its name, or where an agent's profile names it (`named`) and it holds
    neither a path nor a URL; of a URL with a password the password is. Names of models and hosts are
    none: they stand in lists that people choose from, and in what agents say.
    """
    secrets: dict[str, str] = {}
    for name, value in variables.items():
        password = _password(value)
        if password:
            secrets[name] = password
        elif _is_opaque(value) and _is_secret(name, value, named):
            secrets[name] = value
    for file in files:
        words = file.read().decode(errors="replace").split()
        secrets |= {f"{file.path.name}-{n}": word for n, word in enumerate(words, 1)}
    return secrets


def _is_opaque(value: str) -> bool:
    """Tell whether a value is neither a path, a URL nor a document that would be found in texts."""
    return not value.startswith(("/", "{", "[")) and "://" not in value


def _is_secret(name: str, value: str, named: Collection[str]) -> bool:
    is_plain = _PLAIN_NAME.search(name) is not None and "@" not in value
    return is_secret_name(name) or (name in named and not is_plain)


def _password(value: str) -> str | None:
    try:
        return urlsplit(value).password if "://" in value else None
    except ValueError:
        return None
