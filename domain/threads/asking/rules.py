"""Rules of what a thread remembers: told by its sessions and tasks, asked by them, forgotten by people."""

from domain.conversations.questions import events as happened
from domain.conversations.questions.commands import FindRule, ForgetRule
from domain.conversations.questions.rules import forget
from domain.conversations.reports import NoteRules
from domain.core.decisions import Decided
from domain.threads.dispatch import handles
from domain.threads.evolution import evolves
from domain.threads.state import ThreadState


@handles
def _note(command: NoteRules, state: ThreadState) -> Decided:
    return Decided(state.remembered.noted(command))


@handles
def _find(command: FindRule, state: ThreadState) -> Decided:
    return Decided(answer=state.remembered.found(command))


@handles
def _forget(command: ForgetRule, state: ThreadState) -> Decided:
    return forget(state.remembered.rules, command)


@evolves(happened.RuleRemembered)
@evolves(happened.RuleForgotten)
def _apply_rule_remembered_or_rule_forgotten(
    event: happened.RuleRemembered | happened.RuleForgotten, state: ThreadState
) -> ThreadState:
    return state.model_copy(update={"remembered": state.remembered.after(event)})
