"""What an agent asks the person, and what a person's answer may be remembered for.

A permission shows the agent's own options, with ACP's kinds. A decision is asked with `ask_decision`.
Both are bounded: they lie in states and histories; `detail_ref` names the whole in the journal.
"""

import hashlib
import json
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire

MAX_OPTIONS = 20
MAX_TITLE = 2_000
MAX_LABEL = 200
MAX_DETAIL = 8_000
MAX_SCOPE = 600

ALLOW = ("allow_once", "allow_always")
DENY = ("reject_once", "reject_always")
"""ACP's kinds of options, the one that is chosen first in front."""

Label = Annotated[str, Field(max_length=MAX_LABEL)]


class QuestionKind(StrEnum):
    """What is asked: may I, or which."""

    PERMISSION = "permission"
    DECISION = "decision"


class Remember(StrEnum):
    """How long an answer counts."""

    ONCE = "once"
    SESSION = "session"
    THREAD = "thread"


class QuestionOption(Wire):
    """One answer that can be given; `kind` is ACP's, empty in a decision."""

    option_id: Label
    label: Label
    kind: Label = ""
    description: str = Field(default="", max_length=1_000)


class Asked(Wire):
    """What is asked. `scope` is what a remembered answer would count for, empty where it can't be.

    `input_hash` is that of everything the agent told of what it wants to do, cut or not.
    """

    kind: QuestionKind
    header: Label = ""
    title: str = Field(max_length=MAX_TITLE)
    tool: Label = ""
    detail: str = Field(default="", max_length=MAX_DETAIL)
    detail_ref: Label = ""
    input_hash: Label = ""
    scope: str = Field(default="", max_length=MAX_SCOPE)
    options: tuple[QuestionOption, ...] = Field(max_length=MAX_OPTIONS)
    multi_select: bool = False

    @property
    def subject(self) -> str:
        """What makes two questions the same: all but the ids that an agent may number anew."""
        fields = {"kind", "header", "title", "tool", "detail", "input_hash", "multi_select"}
        offered = [(option.label, option.kind) for option in self.options]
        return _hash(json.dumps((self.model_dump(mode="json", include=fields), offered)))

    def position(self, *kinds: str) -> int | None:
        """Return where the first option of these kinds stands, the first kind first."""
        found = (n for kind in kinds for n, o in enumerate(self.options) if o.kind == kind)
        return next(found, None)


class Question(Asked):
    """A question that waits. `content_hash` binds an answer to what was shown, and to its turn.

    `asker` is the request that waits for the answer: an agent that was restarted asks with another.
    """

    question_id: Label
    session_id: SessionId
    turn_id: TurnId
    content_hash: str = ""
    asker: Label = ""

    @property
    def phrase(self) -> str:
        """What a person is asked, in one line."""
        title = " ".join(self.title.split())
        return f"{self.kind}: {f'{self.header}: ' if self.header else ''}{title}"

    def hashed(self) -> "Question":
        """Return it with the hash of all that a person is shown."""
        shown = self.model_copy(update={"content_hash": "", "asker": ""})
        return self.model_copy(update={"content_hash": _hash(shown.model_dump_json())})


class Rule(Wire):
    """An answer that a person wants to be given again: for the session, or in the whole thread."""

    rule_id: Label
    scope: str = Field(max_length=MAX_SCOPE)
    is_allowed: bool
    remember: Remember
    session_id: SessionId
    by: str = ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
