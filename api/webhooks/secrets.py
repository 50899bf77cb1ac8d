"""The secrets of senders: read anew for each delivery, so that a replaced one needs no restart."""

from collections.abc import Sequence

from settings import SettingsError, secret_of
from settings.webhooks import WebhookSender, WebhooksTable

MOST = 4
"""Secrets of one sender: the one in use, and those that it replaces or that replace it."""

SHORTEST = 16


class WebhookSecretError(Exception):
    """A sender has no usable secret; says which sender, and nothing of the secret."""


def secrets_of(sender: WebhookSender) -> Sequence[str]:
    """Return the secrets of a sender; none where they cannot be read, so nothing is proven."""
    try:
        return checked_secrets(sender)
    except WebhookSecretError:
        return ()


def check_senders(table: WebhooksTable) -> None:
    """Refuse webhooks where a sender could never prove that it is one.

    Raises:
        WebhookSecretError: A sender has no usable secret.
    """
    for sender in table.senders if table.is_on else ():
        checked_secrets(sender)


def checked_secrets(sender: WebhookSender) -> Sequence[str]:
    """Return the secrets of a sender.

    Raises:
        WebhookSecretError: There is none, or one that can be guessed.
    """
    where = str(sender.secret_file) if sender.secret_file else f"the variable {sender.secret_env}"
    try:
        found = (secret_of(sender.secret_file, sender.secret_env or "") or "").split()
    except SettingsError as error:
        raise WebhookSecretError(f"webhook {sender.name}: {error}") from error
    if not found:
        raise WebhookSecretError(f"webhook {sender.name}: {where} holds no secret")
    if len(found) > MOST:
        raise WebhookSecretError(f"webhook {sender.name}: {where} holds more than {MOST} secrets")
    if min(map(len, found)) < SHORTEST:
        words = f"{where} holds a secret of fewer than {SHORTEST} characters"
        raise WebhookSecretError(f"webhook {sender.name}: {words}")
    return found
