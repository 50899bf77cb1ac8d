"""The activity that does nothing but carry events."""

from temporalio import activity

from domain.core.effects import JournalCall


class Journaling:
    """Carries events that no other activity was there to carry."""

    @activity.defn
    async def append_events(self, call: JournalCall) -> bool:
        """Do nothing: the worker has journaled the call's events, idempotently, before this."""
        return bool(call.events)
