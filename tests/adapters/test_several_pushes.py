"""Pushes of several repositories to bare ones: on all remotes, or on none, also after a kill."""

from pathlib import Path

import pytest

from adapters.git.several.pushes import SeveralPushes
from domain.core.errors import RepositoryError
from domain.threads.publishing.calls import PushBeside, PushCall
from domain.threads.publishing.errors import PushError
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import BRANCH

REFUSES = "#!/bin/sh\necho 'not today' >&2\nexit 1\n"


class Remotes:
    """A bare repository for each of a lab's, and the port that pushes to them."""

    def __init__(self, lab, tmp_path: Path) -> None:
        self._lab, self._home = lab, tmp_path
        self.own, self.api = (self._made(tmp_path / name) for name in ("own.git", "api.git"))
        lab.git(lab.own, "remote", "add", "origin", str(self.own))
        lab.git(lab.api, "remote", "add", "origin", str(self.api))
        self.port = self.restarted()

    def _made(self, folder: Path) -> Path:
        folder.mkdir()
        self._lab.git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
        return folder

    def restarted(self) -> SeveralPushes:
        """Return the port as a new worker has it."""
        environment = {**BASE_ENVIRONMENT, "HOME": str(self._home)}
        return SeveralPushes(self._lab.spawner, self._lab.data_dir, environment, limit_seconds=60)

    def call(self, **more) -> PushCall:
        (one,) = self._lab.spec("any").beside
        beside = PushBeside(**dict(one), known={"origin": str(self.api)})
        known = {"origin": str(self.own)}
        place = {"repository": str(self._lab.own), "branch": BRANCH}
        return PushCall(**{**place, "known": known, "beside": (beside,), **more})

    def tips(self) -> tuple[str, str]:
        return tuple(
            self._lab.git(each, "for-each-ref", "--format=%(objectname)", f"refs/heads/{BRANCH}")
            for each in (self.own, self.api)
        )

    def refuse(self, remote: Path, hook: str = "pre-receive") -> Path:
        """Have a remote refuse what is pushed, which no dry run tells; returns its hook."""
        file = remote / "hooks" / hook
        file.parent.mkdir(exist_ok=True)
        file.write_text(REFUSES)
        file.chmod(0o755)
        return file

    def left(self) -> list[Path]:
        return list((self._lab.data_dir / "pushes").glob("*"))


@pytest.fixture
async def remotes(lab, tmp_path) -> Remotes:
    await lab.open()
    await lab.merged("both", own_a="a\n", api_b="b\n")
    return Remotes(lab, tmp_path)


async def test_all_are_pushed_and_pushing_again_is_fine(lab, remotes):
    first = await remotes.port.push(remotes.call(commit=lab.tips()[0]))

    assert remotes.tips() == lab.tips() == (first.commit, first.beside[0].commit)
    assert (first.beside[0].name, first.beside[0].address) == ("api", str(remotes.api))
    assert await remotes.port.push(remotes.call()) == first
    assert remotes.left() == []


@pytest.mark.parametrize("which", ["own", "api"])
async def test_a_remote_that_refuses_leaves_the_branch_on_none(lab, remotes, which):
    hook = remotes.refuse(getattr(remotes, which))

    with pytest.raises(PushError, match=r"nothing was published of any repository.*not today"):
        await remotes.port.push(remotes.call())

    assert remotes.tips() == ("", "")
    assert remotes.left() == []
    hook.unlink()
    await remotes.port.push(remotes.call())
    assert remotes.tips() == lab.tips()


async def test_what_was_published_before_is_put_back_where_it_was(lab, remotes):
    await remotes.port.push(remotes.call())
    before = remotes.tips()
    await lab.merged("more", own_c="c\n", api_d="d\n")
    remotes.refuse(remotes.own)

    with pytest.raises(PushError, match="nothing was published"):
        await remotes.port.push(remotes.call())

    assert remotes.tips() == before != lab.tips()


async def test_commits_of_others_on_one_remote_are_kept_and_nothing_is_pushed(lab, remotes):
    lab.git(lab.own, "push", "--quiet", "origin", f"main:refs/heads/{BRANCH}")
    lab.git(remotes.own, "config", "receive.denyNonFastForwards", "true")
    theirs = lab.git(
        remotes.own,
        *("commit-tree", "-m", "theirs"),
        f"{lab.git(lab.own, 'rev-parse', 'main')}^{{tree}}",
    )
    lab.git(remotes.own, "update-ref", f"refs/heads/{BRANCH}", theirs)

    with pytest.raises(PushError, match="nothing is forced"):
        await remotes.port.push(remotes.call())

    assert remotes.tips() == (theirs, "")


async def test_a_remote_that_takes_nothing_back_is_told(lab, remotes):
    remotes.refuse(remotes.own)
    lab.git(remotes.api, "config", "receive.denyDeletes", "true")

    with pytest.raises(PushError, match="could not be taken back everywhere"):
        await remotes.port.push(remotes.call())

    assert remotes.tips() == ("", lab.tips()[1])
    (remotes.own / "hooks" / "pre-receive").unlink()
    await remotes.port.push(remotes.call())
    assert remotes.tips() == lab.tips()


class KilledError(BaseException):
    """Stands for `kill -9`: nothing after it runs."""


@pytest.mark.parametrize("is_refused", [False, True])
async def test_a_kill_at_any_command_ends_with_all_or_none(lab, remotes, monkeypatch, is_refused):
    hook = remotes.refuse(remotes.own) if is_refused else None
    is_through, kills = False, 0
    while not is_through:
        port, left = remotes.restarted(), [kills]
        send = port._one.send

        async def killed(*arguments, send=send, left=left, **more):
            left[0] -= 1
            if left[0] == -1:
                raise KilledError
            await send(*arguments, **more)
            left[0] -= 1
            if left[0] == -1:
                raise KilledError

        monkeypatch.setattr(port._one, "send", killed)
        try:
            await port.push(remotes.call())
            is_through = True
        except PushError:
            is_through = True
        except KilledError:
            kills += 1
        try:
            await remotes.restarted().push(remotes.call())
        except PushError:
            assert is_refused
        assert remotes.tips() == (("", "") if is_refused else lab.tips())
        assert remotes.left() == []
        if not is_refused:
            for remote in (remotes.own, remotes.api):
                lab.git(remote, "update-ref", "-d", f"refs/heads/{BRANCH}")
    assert kills >= 6
    assert hook is None or hook.exists()


async def test_an_address_that_changed_beside_refuses_all(lab, remotes):
    lab.git(lab.api, "remote", "set-url", "origin", "/elsewhere")

    with pytest.raises(RepositoryError, match=r"nothing was published, for api: .*/elsewhere"):
        await remotes.port.push(remotes.call())

    assert remotes.tips() == ("", "")


async def test_what_has_not_changed_beside_needs_no_remote(lab, remotes):
    call = remotes.call()
    (one,) = call.beside
    unchanged = one.model_copy(update={"begins_at": lab.tips()[1], "known": {}})

    pushed = await remotes.port.push(call.model_copy(update={"beside": (unchanged,)}))

    assert pushed.beside == ()
    assert remotes.tips() == (lab.tips()[0], "")
