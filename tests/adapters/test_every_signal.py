"""Every signal of people by every role, as the worker checks it: no command is without a proof."""

import pytest

from activities.codes import DecisionCodes
from adapters.deciders import JournalDeciders
from adapters.files.people_file import PeopleFile
from adapters.journal import open_journal
from domain.conversations.sessions.rules import SESSION_RULES
from domain.core.approvals import decision_code
from domain.core.command import AgentCommand, Command, Proven, Stopping
from domain.core.effects import CodeCheck
from domain.core.event import Headline
from domain.flows.rules import FLOW_RULES
from domain.money.registry import MONEY_RULES
from domain.people.commands import ROLES
from domain.people.roles import Role
from domain.publications.rules import PUBLICATION_RULES
from domain.queue.rules import QUEUE_RULES
from domain.tasks.rules import TASK_RULES
from domain.threads.rules import THREAD_RULES
from domain.trackers.rules import TRACKER_RULES
from tests.fakes import FixedKey

REGISTRIES = (
    *(THREAD_RULES, TASK_RULES, SESSION_RULES, FLOW_RULES),
    *(QUEUE_RULES, TRACKER_RULES, PUBLICATION_RULES, MONEY_RULES),
)
COMMANDS = {
    kind.door: kind
    for rules in REGISTRIES
    for kind in rules.commands
    if not issubclass(kind, AgentCommand)
}
PEOPLE = """
[users.viewer.roles]
"/srv/shop" = "viewer"
"/srv/other" = "admin"

[users.author.roles]
"/srv/shop" = "author"

[users.approver.roles]
"/srv/shop" = "approver"

[users.admin.roles]
"*" = "admin"

[users.none]

[users.blocked]
is_blocked = true
roles = { "*" = "admin" }
"""
HELD = {"viewer": Role.VIEWER, "author": Role.AUTHOR, "approver": Role.APPROVER}
HELD |= {"admin": Role.ADMIN, "none": Role.NONE, "blocked": Role.NONE, "stranger": Role.NONE}
THREAD = "thread-shop-1a2b3c"


def test_no_command_of_people_is_without_a_proof_and_a_role():
    assert len(COMMANDS) > 30
    assert not [kind for kind in COMMANDS.values() if not issubclass(kind, Proven)]
    assert not COMMANDS.keys() - ROLES.keys()
    assert not ROLES.keys() - COMMANDS.keys()


@pytest.fixture
async def codes(tmp_path):
    (tmp_path / "people.toml").write_text(PEOPLE)
    async with open_journal(f"sqlite:///{tmp_path / 'data' / 'journal.db'}") as journal:
        line = Headline(stream=THREAD, kind="thread", title="t", project="/srv/shop", status="open")
        await journal.append([], [line])
        people = PeopleFile(tmp_path / "people.toml")
        yield DecisionCodes(FixedKey(), JournalDeciders(people, journal.people))


def check_of(kind: type[Command], code_for: str, by: str) -> CodeCheck:
    choice, request, content = kind.door, "command/c1", ""
    code = decision_code(b"test key", THREAD, request, choice, content, by=code_for)
    return CodeCheck(
        workflow_id=THREAD,
        request_id=request,
        choice=choice,
        content_hash=content,
        code=code,
        by=by,
        door=kind.door,
        is_stop=issubclass(kind, Stopping),
        is_foreign=True,
    )


async def test_every_signal_by_every_role(codes):
    holes = []
    for door, kind in COMMANDS.items():
        for person, role in HELD.items():
            own = await codes.check_code(check_of(kind, person, person))
            if own is not role.allows(ROLES[door]):
                holes.append(f"{door} by {person} ({role}): {own}")
            if person != "admin" and await codes.check_code(check_of(kind, person, "admin")):
                holes.append(f"{door} by {person} in the name of admin")
            bare = check_of(kind, person, person).model_copy(update={"code": ""})
            if await codes.check_code(bare):
                holes.append(f"{door} by {person} without a code")
    assert not holes, "\n".join(holes)
