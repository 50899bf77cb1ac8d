"""What `treadle doctor` finds of webhooks: senders without a secret, and what came and was refused."""

from typing import Any

from api.webhooks.secrets import WebhookSecretError, checked_secrets
from cli.core.client import Client
from cli.core.errors import CommandError
from settings import Settings
from treadle.finding import Finding

_FIXES = {
    "bad_signature": "give the sender the secret that Treadle has, then have it send one again",
    "out_of_time": "set the clocks of this machine and of the sender",
    "too_large": "have it send fewer events, or raise TREADLE_WEBHOOKS_MAX_BYTES",
    "too_many": "have it send fewer events, or raise TREADLE_WEBHOOKS_PER_MINUTE",
    "bad_body": "have it send JSON: the content type is application/json",
    "not_started": "see what its template needs: `treadle templates`",
}


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
    general = Finding(name="webhooks", is_well=True, is_required=False, found=said)
    return [general, *(_refused(one) for one in found["refused_since"])]


def _refused(one: dict[str, Any]) -> Finding:
    """Return what to do about a sender whose last delivery was refused."""
    sender, reason = one["sender"], one["reason"]
    found = (
        f"the last delivery was refused at {one['last_at']} ({reason}), and none was taken since"
    )
    fix = _FIXES.get(reason, "see `What is refused` in the guide to webhooks")
    return Finding(name=f"webhook {sender}", is_well=False, is_required=False, found=found, fix=fix)
