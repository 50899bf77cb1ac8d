"""What `treadle doctor` finds of webhooks: senders without a secret, and what came and was refused."""

from typing import Any

from api.webhooks.secrets import WebhookSecretError, checked_secrets
from cli.core.client import Client
from cli.core.errors import CommandError
from settings import Settings
from treadle.finding import Finding


def webhook_findings(settings: Settings) -> list[Finding]:
    """Return what is wrong with senders, and what came of each; nothing where webhooks are off."""
    if not settings.webhooks.is_on:
        return []
    return [*_secrets(settings), *_received(settings)]


def _secrets(settings: Settings) -> list[Finding]:
    findings: list[Finding] = []
    for sender in settings.webhooks.senders:
        try:
            checked_secrets(sender)
        except WebhookSecretError as error:
            fix = "write one of 32 random bytes there, and give it to the sender"
            findings.append(
                Finding(name="webhook secret", is_well=False, found=str(error), fix=fix)
            )
    return findings


def _received(settings: Settings) -> list[Finding]:
    client = Client(settings, patience=0)
    try:
        found: Any = client.get("/v1/webhooks") if client.is_answered() else None
    except CommandError:
        return []
    if found is None:
        return []
    newest = next(iter(found["deliveries"]), None)
    last = f"last from {newest['sender']} at {newest['at']}" if newest else "none came yet"
    refused = ", ".join(
        f"{one['count']} × {one['reason']} ({one['sender'] or 'unknown sender'})"
        for one in found["refused"]
    )
    said = f"{last}; refused: {refused}" if refused else last
    return [Finding(name="webhooks", is_well=True, is_required=False, found=said)]
