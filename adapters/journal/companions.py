"""What is kept in the journal's database beside its events."""

from adapters.journal.agent_records import AgentRecords
from adapters.journal.answers import Answers
from adapters.journal.engines import Engines
from adapters.journal.host_moves import HostMoves
from adapters.journal.host_work import HostWork
from adapters.journal.hosts import Hosts
from adapters.journal.invitations import Invitations
from adapters.journal.known_keys import KnownKeys
from adapters.journal.learnings import Learnings
from adapters.journal.ledger import JournalLedger
from adapters.journal.news import NewsLog
from adapters.journal.people_tables import PeopleTables
from adapters.journal.presence import Presence
from adapters.journal.repairs import Repairs
from adapters.journal.retained import Retained
from adapters.journal.searches import Searches
from adapters.journal.webhook_deliveries import WebhookDeliveries
from domain.agents.billing import MoneyOptions


class Companions:
    """The other tables of a journal's database, each by the journal's own connections."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self.people = PeopleTables(engines)
        self.learnings = Learnings(engines)
        self.agent_records = AgentRecords(engines)

    @property
    def keys(self) -> KnownKeys:
        """The fingerprints of keys; a second opened SQLite file would take the locks off the others."""
        return KnownKeys(self._engines)

    @property
    def answers(self) -> Answers:
        """The API's answers to commands."""
        return Answers(self._engines)

    @property
    def presence(self) -> Presence:
        """The heartbeats of workers."""
        return Presence(self._engines)

    @property
    def hosts(self) -> Hosts:
        """The hosts, and what was placed on each."""
        return Hosts(self._engines)

    @property
    def host_work(self) -> HostWork:
        """What is on each host, as lists show it."""
        return HostWork(self._engines)

    @property
    def moves(self) -> HostMoves:
        """The moves of what was placed on hosts that are lost."""
        return HostMoves(self._engines)

    @property
    def invitations(self) -> Invitations:
        """The invitations with which machines join as hosts."""
        return Invitations(self._engines)

    @property
    def repairs(self) -> Repairs:
        """The damaged events."""
        return Repairs(self._engines)

    @property
    def retained(self) -> Retained:
        """The threads that ended, for prunes."""
        return Retained(self._engines)

    @property
    def searches(self) -> Searches:
        """The full-text search."""
        return Searches(self._engines)

    def ledger(self, options: MoneyOptions) -> JournalLedger:
        """What turns cost and reserve."""
        return JournalLedger(self._engines, options)

    @property
    def news(self) -> NewsLog:
        """The record of news that were sent."""
        return NewsLog(self._engines)

    @property
    def webhook_deliveries(self) -> WebhookDeliveries:
        """The deliveries of webhooks."""
        return WebhookDeliveries(self._engines)
