"""Rules of what a thread remembers: told by its sessions and tasks, asked by them, forgotten by people."""

from domain.commands import Answer, FindRule, ForgetRule
from domain.decisions import Decided
from domain.events import questions as happened
from domain.questions.question import Rule
from domain.questions.rules import MAX_RULES, by_rule, forget
from domain.threads.asking.state import Remembered
from domain.threads.commands import NoteRules
from domain.threads.dispatch import handles
from domain.threads.evolution import evolves
from domain.threads.state import ThreadState

MAX_FORGOTTEN = 200


@handles
def _note(command: NoteRules, state: ThreadState) -> Decided:
    known = {*state.remembered.rules, *state.remembered.forgotten}
    scopes = {rule.scope: rule for rule in state.remembered.rules.values()}
    new = [rule for rule in command.rules if rule.rule_id not in known]
    room = MAX_RULES - len(state.remembered.rules) + sum(rule.scope in scopes for rule in new)
    return Decided(tuple(happened.RuleRemembered(rule=rule) for rule in new[:room]))


@handles
def _find(command: FindRule, state: ThreadState) -> Decided:
    rules = state.remembered.rules.values()
    found = next((rule for rule in rules if command.scope and rule.scope == command.scope), None)
    if found is None:
        return Decided(answer=Answer(message="nothing is remembered for this"))
    told = by_rule(found)
    return Decided(answer=Answer(message=told.words, data=told.model_dump(mode="json")))


@handles
def _forget(command: ForgetRule, state: ThreadState) -> Decided:
    return forget(state.remembered.rules, command)


@evolves
def _(event: happened.RuleRemembered, state: ThreadState) -> ThreadState:
    kept = {n: r for n, r in state.remembered.rules.items() if r.scope != event.rule.scope}
    replaced = [name for name in state.remembered.rules if name not in kept]
    return _with(state, {**kept, event.rule.rule_id: event.rule}, replaced)


@evolves
def _(event: happened.RuleForgotten, state: ThreadState) -> ThreadState:
    left = {n: r for n, r in state.remembered.rules.items() if n != event.rule_id}
    return _with(state, left, [event.rule_id])


def _with(state: ThreadState, rules: dict[str, Rule], gone: list[str]) -> ThreadState:
    forgotten = (*state.remembered.forgotten, *gone)[-MAX_FORGOTTEN:]
    remembered = Remembered(rules=rules, forgotten=forgotten)
    return state.model_copy(update={"remembered": remembered})
