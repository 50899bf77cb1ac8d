"""The answers that count in a whole thread, or in a whole run of a flow."""

from domain.conversations.questions.commands import FindRule
from domain.conversations.questions.events import RuleForgotten, RuleRemembered
from domain.conversations.questions.question import Rule
from domain.conversations.questions.rules import MAX_RULES, by_rule
from domain.conversations.reports import NoteRules
from domain.core.command import Answer
from domain.core.wire import Wire

MAX_FORGOTTEN = 200


class Remembered(Wire):
    """Rules by their ids; `forgotten` are ids that count no more, whoever tells of them again."""

    rules: dict[str, Rule] = {}
    forgotten: tuple[str, ...] = ()

    def noted(self, command: NoteRules) -> tuple[RuleRemembered, ...]:
        """Return what is new of the rules that a session or a task tells of, as far as there is room."""
        known = {*self.rules, *self.forgotten}
        scopes = {rule.scope for rule in self.rules.values()}
        new = [rule for rule in command.rules if rule.rule_id not in known]
        room = MAX_RULES - len(self.rules) + sum(rule.scope in scopes for rule in new)
        return tuple(RuleRemembered(rule=rule) for rule in new[:room])

    def found(self, command: FindRule) -> Answer:
        """Return what is remembered for exactly this."""
        rules = self.rules.values()
        found = next(
            (rule for rule in rules if command.scope and rule.scope == command.scope), None
        )
        if found is None:
            return Answer(message="nothing is remembered for this")
        permission = by_rule(found)
        return Answer(message=permission.words, data=permission.model_dump(mode="json"))

    def after(self, event: RuleRemembered | RuleForgotten) -> "Remembered":
        """Return what is remembered after one more event."""
        if isinstance(event, RuleForgotten):
            left = {n: r for n, r in self.rules.items() if n != event.rule_id}
            return self._with(left, [event.rule_id])
        kept = {n: r for n, r in self.rules.items() if r.scope != event.rule.scope}
        replaced = [name for name in self.rules if name not in kept]
        return self._with({**kept, event.rule.rule_id: event.rule}, replaced)

    def _with(self, rules: dict[str, Rule], gone: list[str]) -> "Remembered":
        forgotten = (*self.forgotten, *gone)[-MAX_FORGOTTEN:]
        return Remembered(rules=rules, forgotten=forgotten)
