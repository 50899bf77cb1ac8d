"""What an agent offers in its session, and what a person or a profile chose of it."""

from typing import Annotated

from pydantic import Field

from domain.core.wire import Wire

MAX_OPTIONS = 20
OptionName = Annotated[str, Field(min_length=1, max_length=100)]
OptionValue = Annotated[str, Field(max_length=200)] | bool

AgentOptions = Annotated[dict[OptionName, OptionValue], Field(max_length=MAX_OPTIONS)]
"""Config options to set, by the agent's id of one or by category (`mode`, `model`, `thought_level` …)."""


class OfferedValue(Wire):
    """One of the values that an option can have."""

    value: str
    name: str = ""


class OfferedOption(Wire):
    """One config option of an agent (ACP); its modes and its models are two of them.

    One that is on or off has no `values`. Of very many values the first ones are kept, and the present.
    """

    option_id: str
    category: str = ""
    name: str = ""
    current: OptionValue = ""
    values: tuple[OfferedValue, ...] = ()
