"""Questions of agents, and what people answer to permissions; decisions are answered with `Decide`."""

import json

from pydantic import Field

from domain.conversations.questions.question import MAX_SCOPE, Asked, Remember
from domain.core.command import MAX_NAME, MAX_TEXT, AgentCommand, Coded, Stopping
from domain.core.wire import Wire


class AskPermission(AgentCommand):
    """May the agent do this? Asked again by the same `asker` it is the same question.

    Its answer says whether a rule or a person has answered, or that it waits. `asker` is
    `PROCESS/NUMBER`: a process of the agent, and its request.
    """

    door = "ask_permission"

    asked: Asked
    asker: str = Field(max_length=MAX_NAME)


class AwaitAnswer(AgentCommand):
    """Wait, at most half a minute, until something has changed since `seen`; changes nothing."""

    door = "await_answer"

    seen: int


class FindRule(AgentCommand):
    """Does the thread remember an answer for this? Changes nothing."""

    door = "find_rule"

    scope: str = Field(max_length=MAX_SCOPE)


class OfferedOption(Wire):
    """One option of a decision, as an agent offers it."""

    label: str = Field(max_length=MAX_NAME)
    description: str = Field(default="", max_length=MAX_TEXT)


class AskDecision(AgentCommand):
    """Which way? The agent can't tell alone; the same call again looks for the answer.

    One that `withdraws_report` makes a report or plan of the same turn void, which came too early.
    Our tools send no other; those in histories of before are taken as they were.
    """

    door = "ask_decision"

    question: str = Field(max_length=MAX_TEXT)
    header: str = Field(default="", max_length=MAX_TEXT)
    options: tuple[OfferedOption, ...] = Field(max_length=100)
    multi_select: bool = False
    withdraws_report: bool = False


class AnswerPermission(Coded):
    """Choose one of the agent's options, and say how long the answer counts."""

    door = "answer_permission"

    question_id: str = Field(max_length=MAX_NAME)
    option_id: str = Field(max_length=MAX_NAME)
    content_hash: str = Field(max_length=MAX_NAME)
    remember: Remember = Remember.ONCE

    @property
    def request(self) -> str:
        """The question's id, marked as one."""
        return f"question/{self.question_id}"

    @property
    def choice(self) -> str:
        """The option, and how long it counts."""
        return json.dumps((self.option_id, self.remember))

    @property
    def content(self) -> str:
        """The hash of the question as it was shown."""
        return self.content_hash


class ForgetRule(Stopping):
    """Ask again: always safe."""

    door = "forget_rule"

    rule_id: str = Field(max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The rule."""
        return self.rule_id
