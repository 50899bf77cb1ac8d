"""What is done with a delivery once it is proven: a look, a start of a template, or nothing."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from adapters.journal import SqlJournal
from api.core import strict_json
from api.core.problems import RefusedError
from api.webhooks.signatures import Proven
from api.webhooks.waking import Waking
from domain.forges.deliveries import hint_of
from domain.forges.hints import ForgeHint
from domain.forges.received import Delivery, DeliveryOutcome
from settings.webhooks import WebhookSender

PING = frozenset({"ping"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")

Start = Callable[[WebhookSender, str, dict[str, str]], Awaitable[str]]
"""Starts a sender's template: under a command's id, with parameters; returns what was queued."""


class StandardBody(BaseModel):
    """What a sender of the kind `standard` sends; anything else is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    type: Annotated[str, Field(min_length=1, max_length=100)]
    """The event, like `release.published`."""

    timestamp: Annotated[str, Field(max_length=40)] | None = None
    """When it happened; nothing depends on it."""

    data: Annotated[
        dict[
            Annotated[str, Field(max_length=63)],
            Annotated[str, Field(max_length=20_000)],
        ],
        Field(max_length=50),
    ] = {}
    """Parameters of the template that is started, or the `tracker` that is to be looked at."""


class Taking:
    """Takes proven deliveries, each once; a repetition is answered as such."""

    def __init__(
        self, journal: SqlJournal, waking: Waking, start: Start, remembered: timedelta
    ) -> None:
        self._deliveries = journal.webhook_deliveries
        self._waking = waking
        self._start = start
        self._remembered = remembered

    async def take(self, sender: WebhookSender, proven: Proven, body: bytes) -> Delivery:
        """Do what a delivery is for and remember it; in this order, as either does no harm twice.

        Raises:
            RefusedError: Its body is not what this sender sends, or its template cannot be started.
        """
        if await self._deliveries.is_known(sender.name, proven.delivery_id, proven.digest):
            return self._made(sender, proven, DeliveryOutcome.DUPLICATE)
        parsed = strict_json.parse(body)
        taken = (
            await self._take_standard(sender, proven, parsed)
            if sender.kind == "standard"
            else self._take_of_forge(sender, proven, parsed)
        )
        await self._deliveries.add(taken, proven.digest, self._remembered)
        return taken

    def _take_of_forge(self, sender: WebhookSender, proven: Proven, parsed: Any) -> Delivery:
        if sender.events and proven.event not in sender.events:
            return self._made(sender, proven, DeliveryOutcome.IGNORED)
        hint = hint_of(sender.kind, proven.event, parsed, proven.delivery_id)
        if hint is None or (sender.hosts and not _is_of(hint, sender.hosts)):
            return self._made(sender, proven, DeliveryOutcome.IGNORED)
        self._waking.add(hint)
        return self._made(sender, proven, DeliveryOutcome.LOOKED, _about(hint))

    async def _take_standard(self, sender: WebhookSender, proven: Proven, parsed: Any) -> Delivery:
        read = _standard_body(parsed)
        proven = Proven(proven.delivery_id, read.type, proven.digest)
        if read.type in PING or (sender.events and read.type not in sender.events):
            return self._made(sender, proven, DeliveryOutcome.IGNORED)
        if sender.template is not None:
            command = f"webhook-{sender.name}-{_UNSAFE.sub('_', proven.delivery_id)}"[:200]
            started = await self._start(sender, command, read.data)
            return self._made(sender, proven, DeliveryOutcome.STARTED, started)
        tracker = read.data.get("tracker", "")
        if not tracker:
            return self._made(sender, proven, DeliveryOutcome.IGNORED)
        self._waking.add(ForgeHint(hint_id=proven.delivery_id, tracker=tracker))
        return self._made(sender, proven, DeliveryOutcome.LOOKED, tracker[:200])

    @staticmethod
    def _made(
        sender: WebhookSender, proven: Proven, outcome: DeliveryOutcome, about: str = ""
    ) -> Delivery:
        return Delivery(
            sender=sender.name,
            delivery_id=proven.delivery_id,
            event=proven.event,
            outcome=outcome,
            about=about[:500],
            at=datetime.now(UTC),
        )


def _standard_body(parsed: Any) -> StandardBody:
    try:
        return StandardBody.model_validate(parsed)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])[:80] or "the body"
        detail = f"{field}: {first['msg']}; send type, timestamp and data, whose values are texts"
        raise RefusedError(400, "invalid_delivery", detail) from error


def _is_of(hint: ForgeHint, hosts: tuple[str, ...]) -> bool:
    return hint.project is not None and hint.project.host in hosts


def _about(hint: ForgeHint) -> str:
    """Return in words what a hint is about."""
    thing = f"#{hint.pull_request}" if hint.pull_request is not None else ""
    if hint.issue is not None:
        thing = f" issue {hint.issue.key}"
    if hint.commit:
        thing = f"@{hint.commit[:12]}"
    return f"{hint.watched}{thing}"
