"""What the journal's database keeps of people: their tokens, and of which projects streams are."""

from adapters.journal.audit import AuditLog
from adapters.journal.device_logins import DeviceLogins
from adapters.journal.engines import Engines
from adapters.journal.mentions import Mentions
from adapters.journal.passkeys import Passkeys
from adapters.journal.projects import Projects
from adapters.journal.published_people import PublishedTable
from adapters.journal.push_subscriptions import PushSubscriptions
from adapters.journal.revocation import Revocation
from adapters.journal.seen_people import SeenPeople
from adapters.journal.sign_ins import SignIns
from adapters.journal.snoozes import Snoozes
from adapters.journal.text_places import TextPlaces
from adapters.journal.tokens import Tokens


class PeopleTables:
    """The tables, by the connections of an open journal."""

    def __init__(self, engines: Engines) -> None:
        self.tokens = Tokens(engines)
        self.sign_ins = SignIns(engines)
        self.device_logins = DeviceLogins(engines)
        self.passkeys = Passkeys(engines)
        self.mentions = Mentions(engines)
        self.snoozes = Snoozes(engines)
        self.pushes = PushSubscriptions(engines)
        self.revocation = Revocation(engines)
        self.published = PublishedTable(engines)
        self.seen = SeenPeople(engines)
        self.projects = Projects(engines)
        self.texts = TextPlaces(engines)
        self.audit = AuditLog(engines)
