"""Which spending limits a person is shown: that of all work says what other repositories cost."""

from collections.abc import Iterable

from api.core.permissions import Permits
from domain.agents.limits.money import Account, Limited
from domain.people.roles import EVERY_PROJECT


def seen_accounts(permits: Permits, accounts: Iterable[Account]) -> list[Account]:
    """Return how the limits of a thread's turns stand, of those that the caller may read."""
    sees_all = permits.sees(EVERY_PROJECT)
    return [each for each in accounts if sees_all or each.scope.kind is not Limited.MONTH]
