"""The settings of money: which agents are on a flat plan."""

from pydantic_settings import BaseSettings

from domain.agents.billing import MoneyOptions


class MoneyTable(MoneyOptions, extra="forbid"):
    """The table `money`; one that names a setting which is none is refused."""


class MoneySettings(BaseSettings):
    """What work may cost."""

    money: MoneyTable = MoneyTable()
    """Spending limits, and which agents are on a flat plan; see docs/how-to/money.md."""
