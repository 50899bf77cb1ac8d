"""Rules of what a thread remembers: told by its sessions and tasks, asked by them, forgotten by people."""

from domain.conversations.questions import events as question_events
from domain.conversations.questions.commands import FindRule, ForgetRule
from domain.conversations.questions.rules import forget
from domain.conversations.reports import NoteRules
from domain.core.decisions import Decided
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


@THREAD_RULES.handles
def remember_rules(command: NoteRules, state: ThreadState) -> Decided:
    return Decided(state.remembered.noted(command))


@THREAD_RULES.handles
def find_rule(command: FindRule, state: ThreadState) -> Decided:
    return Decided(answer=state.remembered.found(command))


@THREAD_RULES.handles
def forget_rule(command: ForgetRule, state: ThreadState) -> Decided:
    return forget(state.remembered.rules, command)


@THREAD_RULES.evolves
def apply_rule_change(
    event: question_events.RuleRemembered | question_events.RuleForgotten, state: ThreadState
) -> ThreadState:
    return state.model_copy(update={"remembered": state.remembered.after(event)})
