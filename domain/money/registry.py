"""Where the rules of limits are registered; domain/money/rules.py has them."""

from domain.core.kernel import Rules
from domain.money.effects import MoneyEffect
from domain.money.state import MoneyState

MONEY_RULES = Rules[MoneyState, MoneyEffect]("the spending limits")
