"""Where the work of a plan without tasks is carried out."""

from domain.agents.offers import AgentOptions
from domain.core.ids import SessionId
from domain.core.wire import Wire


class Working(Wire):
    """The session that carries out a plan without tasks, None where the plan has tasks.

    It is lent to the run of the work, which takes its turns meanwhile; `turns` are those that it has
    taken since it was, `agent`, `model` and `options` those that it stood at. One that `is_gone` never
    answers: the work then has a session of its own.
    """

    session_id: SessionId | None = None
    is_lent: bool = False
    is_gone: bool = False
    turns: int = 0
    agent: str = ""
    model: str | None = None
    options: AgentOptions = {}

    @property
    def is_ready(self) -> bool:
        """Whether the work may start: nobody else takes turns in its session."""
        return self.session_id is None or self.is_lent or self.is_gone

    def called(self, session_id: SessionId) -> "Working":
        """Return it after a session was given another role: it has to answer for this one anew."""
        if session_id != self.session_id:
            return self
        return self.model_copy(update={"is_lent": False, "is_gone": False})
