"""Who may decide, as a worker finds it at that time: by people.toml and the journal."""

import pytest

from activities.codes import DecisionCodes
from adapters.deciders import JournalDeciders
from adapters.files.people_file import PeopleFile
from adapters.journal import open_journal
from api.core.published_people import PeoplePublishing
from domain.core.approvals import decision_code
from domain.core.effects import CodeCheck
from domain.core.event import Headline
from domain.core.four_eyes import FourEyes
from domain.people.access import PeopleFileError
from domain.people.commands import ROLES
from domain.people.published import PublishedPeople
from tests.fakes import FixedKey

THREAD = "thread-shop-1a2b3c"
PEOPLE = """
[users.root.roles]
"*" = "admin"

[users.anna.roles]
"/srv/shop" = "approver"

[users.ben.roles]
"/srv/shop" = "viewer"
"/srv/other" = "admin"

[groups.crew.roles]
"shop" = "author"
"""


@pytest.fixture
async def journal(url):
    async with open_journal(url) as opened:
        line = Headline(stream=THREAD, kind="thread", title="t", project="/srv/shop", status="open")
        await opened.append([], [line])
        await opened.people.seen.note("owner", is_owner=True)
        await opened.people.seen.note("carl", ("crew",), is_owner=False)
        yield opened


@pytest.fixture
def file(tmp_path):
    found = tmp_path / "people.toml"
    found.write_text(PEOPLE)
    return found


@pytest.fixture
def deciders(journal, file):
    return JournalDeciders(PeopleFile(file), journal.people)


@pytest.mark.parametrize(
    ("person", "door", "may"),
    [
        ("anna", "approve", True),
        ("anna", "delete_thread", False),
        ("ben", "approve", False),
        ("ben", "abort", False),
        ("carl", "abort", True),
        ("carl", "approve", False),
        ("owner", "delete_thread", True),
        ("nobody", "pause", False),
        ("", "pause", False),
        ("anna", "no_such_command", False),
        ("root", "no_such_command", True),
        ("anna via MCP (x)", "send_message", True),
        ("nobody via MCP (x)", "send_message", False),
        ("anna via MCP (x)", "approve", False),
        ("owner via MCP (x)", "approve", False),
        ("owner via MCP (x)", "answer_permission", False),
        ("owner via MCP (x)", "no_such_command", False),
        ("owner via MCP (x)", "pause", False),
    ],
)
async def test_a_person_decides_by_their_role_in_the_thread_s_project(deciders, person, door, may):
    assert await deciders.may_decide(person, door, f"{THREAD}/task-1") is may


async def test_a_program_comes_through_no_door_but_its_own(deciders):
    by = "owner via MCP (x)"
    assert {door for door in ROLES if await deciders.may_decide(by, door, THREAD)} == {
        *("send_message", "enqueue")
    }


async def test_without_people_the_worker_asks_for_no_role(url, tmp_path):
    async with open_journal(url) as alone:
        await alone.people.seen.note("owner", is_owner=True)
        deciders = JournalDeciders(PeopleFile(tmp_path / "people.toml"), alone.people)
        assert await deciders.may_decide("anybody", "approve", THREAD) is None
        assert await deciders.may_decide("owner via MCP", "approve", THREAD) is False
        assert await deciders.may_decide("owner via MCP", "send_message", THREAD) is None
        bare = check("carl", "abort", is_stop=True).model_copy(update={"code": ""})
        assert await DecisionCodes(FixedKey(), deciders).check_code(bare)


async def test_a_host_that_lacks_the_file_lets_only_the_owner_decide(deciders, file):
    """Such as one that joined and has not got its copy yet."""
    file.unlink()
    assert await deciders.may_decide("anna", "approve", THREAD) is False
    assert await deciders.may_decide("nobody", "approve", THREAD) is False
    assert await deciders.may_decide("owner", "approve", THREAD) is True
    bare = check("carl", "abort", is_stop=True).model_copy(update={"code": ""})
    assert not await DecisionCodes(FixedKey(), deciders).check_code(bare)


async def test_while_the_file_is_wrong_only_the_owner_decides(deciders, file):
    file.write_text("[users.anna]\nrole = 1")
    assert await deciders.may_decide("anna", "approve", THREAD) is False
    assert await deciders.may_decide("owner", "approve", THREAD) is True


def check(person, door="approve", *, by=None, is_stop=False, request="gate-1"):
    code = decision_code(b"test key", THREAD, request, door, "c" * 64, by=person)
    return CodeCheck(
        workflow_id=THREAD,
        request_id=request,
        choice=door,
        content_hash="c" * 64,
        code=code,
        by=person if by is None else by,
        door=door,
        is_stop=is_stop,
    )


async def test_a_role_that_is_lost_between_print_and_use_is_refused(deciders, file):
    codes = DecisionCodes(FixedKey(), deciders)
    printed = check("anna")
    assert await codes.check_code(printed)
    file.write_text(PEOPLE.replace('"approver"', '"author"'))
    assert not await codes.check_code(printed)


async def test_a_code_is_good_for_its_person_alone(deciders):
    codes = DecisionCodes(FixedKey(), deciders)
    assert not await codes.check_code(check("ben", by="anna"))
    assert not await codes.check_code(check("", by="anna"))
    assert not await codes.check_code(check("", by=""))


async def test_a_stop_needs_its_code_where_there_are_people(deciders):
    codes = DecisionCodes(FixedKey(), deciders)
    bare = check("carl", "abort", is_stop=True).model_copy(update={"code": ""})
    assert await codes.check_code(check("carl", "abort", is_stop=True))
    assert not await codes.check_code(bare)
    assert not await codes.check_code(check("ben", "abort", is_stop=True))
    assert not await codes.check_code(check("carl", "abort", is_stop=True, request=""))


async def test_what_a_template_asks_for_makes_a_rule_stricter_and_never_laxer(deciders, file):
    strict = FourEyes(plan_by_another=True, gate_approvals=3)
    assert await deciders.four_eyes("/srv/shop", strict) == strict
    file.write_text(
        PEOPLE + '\n[projects."/srv/shop"]\nplan_by_another = true\ngate_approvals = 2\n'
    )
    ruled = FourEyes(plan_by_another=True, gate_approvals=2)
    assert await deciders.four_eyes("/srv/shop", FourEyes()) == ruled
    assert await deciders.four_eyes("/srv/shop", FourEyes(gate_approvals=1)) == ruled
    assert await deciders.four_eyes("/srv/shop", strict) == strict


async def test_where_no_host_has_the_file_a_thread_of_several_people_is_not_opened(deciders, file):
    file.unlink()
    with pytest.raises(PeopleFileError, match="start the API where the file is"):
        await deciders.four_eyes("/srv/shop", FourEyes())


SHOP = '\n[projects."/srv/shop"]\nplan_by_another = true\ngate_approvals = 2\n'
RULED = FourEyes(plan_by_another=True, gate_approvals=2)


@pytest.fixture
def server(journal, tmp_path):
    """The API of another machine, which has the file."""
    elsewhere = tmp_path / "server.toml"
    elsewhere.write_text(PEOPLE + SHOP)
    return elsewhere, PeoplePublishing(PeopleFile(elsewhere), journal, "server:people.toml")


async def test_a_host_that_lacks_the_file_decides_by_what_the_api_published(deciders, file, server):
    file.unlink()
    elsewhere, publishing = server
    await publishing.publish()
    assert await deciders.four_eyes("/srv/shop", FourEyes()) == RULED
    assert await deciders.may_decide("anna", "approve", THREAD) is True
    assert await deciders.may_decide("ben", "approve", THREAD) is False
    elsewhere.write_text(PEOPLE.replace('"approver"', '"author"'))
    await publishing.publish()
    assert await deciders.may_decide("anna", "approve", THREAD) is False


async def test_an_old_copy_on_a_host_makes_nothing_laxer(deciders, file, server):
    elsewhere, publishing = server
    await publishing.publish()
    assert await deciders.four_eyes("/srv/shop", FourEyes()) == RULED
    elsewhere.write_text(PEOPLE.replace('"approver"', '"author"'))
    await publishing.publish()
    assert await deciders.may_decide("anna", "approve", THREAD) is False
    elsewhere.write_text(PEOPLE)
    file.write_text(PEOPLE.replace('"approver"', '"viewer"'))
    await publishing.publish()
    assert await deciders.may_decide("anna", "approve", THREAD) is False


async def test_while_the_published_file_is_wrong_only_the_owner_decides(deciders, file, server):
    elsewhere, publishing = server
    elsewhere.write_text("[users.anna]\nrole = 1")
    await publishing.publish()
    assert await deciders.may_decide("anna", "approve", THREAD) is False
    assert await deciders.may_decide("owner", "approve", THREAD) is True
    with pytest.raises(PeopleFileError):
        await deciders.four_eyes("/srv/shop", FourEyes())


async def test_only_the_machine_that_published_says_that_the_file_is_gone(
    journal, deciders, file, server, tmp_path
):
    file.unlink()
    elsewhere, publishing = server
    await publishing.publish()
    bare = PeoplePublishing(PeopleFile(tmp_path / "none.toml"), journal, "build-2:people.toml")
    await bare.publish()
    assert await deciders.four_eyes("/srv/shop", FourEyes()) == RULED
    elsewhere.unlink()
    await publishing.publish()
    assert await deciders.four_eyes("/srv/shop", FourEyes(gate_approvals=3)) == FourEyes()
    assert await deciders.may_decide("anna", "approve", THREAD) is False


class NewerPeople(PublishedPeople):
    def model_dump_json(self, **_):
        return '{"directory": {"teams": {}}}'


async def test_what_a_newer_version_published_gives_nobody_a_role(journal, deciders, file):
    file.unlink()
    await journal.people.published.publish(NewerPeople())
    assert await deciders.may_decide("anna", "approve", THREAD) is False
    with pytest.raises(PeopleFileError, match="upgrade this host"):
        await deciders.four_eyes("/srv/shop", FourEyes())


def test_what_is_wrong_with_the_whole_file_reads_well(file):
    file.write_text('[users.ben.roles]\n"*" = "viewer"\n')
    with pytest.raises(PeopleFileError, match=r"^people\.toml: give at least one user"):
        PeopleFile(file).read()
    file.write_text('[users.ben.roles]\n"*" = "king"\n')
    with pytest.raises(PeopleFileError, match=r"^people\.toml: users\.ben\.roles\.\*: "):
        PeopleFile(file).read()
