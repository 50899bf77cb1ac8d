"""Redaction of this host's secrets in what the API stores and logs."""

from adapters.files.agent_profiles import AgentFiles
from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.known_secrets import known_secrets
from adapters.redaction import Redactor
from settings import Settings, config_dir, environment_of


def make_redactor(settings: Settings) -> Redactor:
    """Return a redactor of this host's secrets."""
    files = [SecretFile(path) for path in (settings.token_file, settings.code_key_file)]
    keys = [*files, KeyRing(settings.payload_key_file)]
    named = AgentFiles(config_dir()).variables()
    return Redactor(known_secrets(environment_of(settings), named, keys))
