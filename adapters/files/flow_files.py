"""Flow files: the repository's, the user's and ours, read afresh each time."""

from collections.abc import Iterator
from pathlib import Path

from adapters.files.flow_folders import FlowFolder, NamedFlows, printed
from adapters.files.flow_texts import FolderTexts
from adapters.files.template_scopes import top_of
from adapters.files.trusted_files import TrustedFiles
from domain.agents.profiles import Scope
from domain.core.errors import InvalidError, NotShownError
from domain.flows.definition import FlowDefinition
from domain.flows.files import read_flow_file, with_subflows
from domain.flows.problems import FlowBrokenError, FlowNotTrustedError, UnknownFlowError
from domain.flows.views import FoundFlow

BUILT_IN = Path(__file__).resolve().parents[2] / "flows"
FOLDERS = ("flows", ".treadle/flows")
"""Where flows lie in a repository."""

TRUSTED_FLOWS = "flow"
_NAMED = 50
_SHOWN = 20


class FlowFiles:
    """The flows that can be run on a repository.

    A name is looked for in the repository, then at the user's, then among ours; `user:hello` names
    the user's even so.
    """

    def __init__(
        self,
        config_dir: Path | None = None,
        *,
        trusted: TrustedFiles | None = None,
        built_in: Path = BUILT_IN,
    ) -> None:
        # the user's own folder may be a link; below it none is followed
        self._config_dir = config_dir.resolve() if config_dir else None
        self._trusted = trusted
        self._built_in = built_in

    def found(self, repository: str | None) -> list[FoundFlow]:
        """Return all flows, those that go before others first, broken ones with what is wrong."""
        flows: list[FoundFlow] = []
        taken: set[str] = set()
        folders = tuple(self._folders(repository))
        named = NamedFlows(folders, {})
        for folder in folders:
            here = [self._joined(each, folder, named) for each in folder.flows()]
            for each in here:
                is_hidden = each.name.lower() in taken
                flows.append(each.model_copy(update={"is_hidden": is_hidden}))
            taken |= {each.name.lower() for each in here}
        return flows

    def one(self, choice: str, repository: str | None) -> FoundFlow:
        """Return one flow as its file is now, sound or not, by name or by scope and name.

        Raises:
            UnknownFlowError: No such flow; the message lists the known ones.
        """
        return self.shown(choice, repository)[0]

    def shown(self, choice: str, repository: str | None) -> tuple[FoundFlow, str]:
        """Return one flow with its file's text; fails as `one`."""
        scope, _, name = choice.strip().rpartition(":")
        folders = tuple(self._folders(repository))
        for folder in folders:
            if scope in {"", folder.scope} and folder.has(name):
                found, raw = folder.read(name)
                whole = with_subflows(found, raw, NamedFlows(folders, {}))
                return self._judged(whole), raw.decode("utf-8-sig", "replace")
        known = _in_words(self.found(repository))
        raise UnknownFlowError(f"there is no flow {printed(choice)!r}; there are: {known}")

    def definition(self, choice: str, repository: str | None) -> FlowDefinition:
        """Return what a run keeps of a flow.

        Raises:
            UnknownFlowError: No such flow; the message lists the known ones.
            FlowBrokenError: Its file can't be used; the message says where and why.
            FlowNotTrustedError: It is a repository's, and nobody has let it run its commands.
        """
        found = self.one(choice, repository)
        flow = found.definition
        if flow is None:
            words = "\n".join(str(problem) for problem in found.problems[:_SHOWN])
            raise FlowBrokenError(f"the flow {found.path} can't be run:\n{words}")
        if not found.is_trusted:
            raise FlowNotTrustedError(_not_trusted(found, flow.commands))
        return flow

    def trust(self, choice: str, repository: str, content_hash: str, by: str) -> FoundFlow:
        """Let a flow run its commands, as it was shown; once more is harmless.

        Raises:
            UnknownFlowError: No such flow.
            InvalidError: Its file can't be used.
            NotShownError: It is not what the person was shown.
        """
        found = self.one(choice, repository)
        if found.definition is None or self._trusted is None:
            raise InvalidError(f"the flow {found.path} can't be used: fix it first")
        if found.content_hash != content_hash:
            raise NotShownError(f"{found.path} is not what you were shown: look at it again")
        self._trusted.add(found.path, content_hash, by)
        return found.model_copy(update={"is_trusted": True})

    def check(self, content: str, name: str, repository: str | None) -> FoundFlow:
        """Return what a text would be as a flow file of a repository; nothing is written or run."""
        roots = (top_of(repository),) if repository is not None else ()
        found = FoundFlow(name=name, scope=Scope.REPOSITORY, path=name)
        raw = content.encode("utf-8", "surrogatepass")
        found = read_flow_file(raw, found, FolderTexts(roots))
        # one of its name leads back to it, as it would once it lies there
        named = NamedFlows(self._folders(repository), {Path(name).stem: found})
        return with_subflows(found, raw, named)

    def _joined(self, found: FoundFlow, folder: FlowFolder, named: NamedFlows) -> FoundFlow:
        if found.definition is None or not found.definition.flow_names:
            return self._judged(found)
        found, raw = folder.read(found.name)
        return self._judged(with_subflows(found, raw, named))

    def _judged(self, found: FoundFlow) -> FoundFlow:
        """Tell whether nobody needs to be asked: no repository brings it, or it runs nothing itself."""
        flow = found.definition
        if flow is None or not any(
            each.scope == Scope.REPOSITORY and each.own_commands for each in flow.whole
        ):
            return found
        is_trusted = self._trusted is not None and self._trusted.has(found.path, found.content_hash)
        return found.model_copy(update={"is_trusted": is_trusted})

    def _folders(self, repository: str | None) -> Iterator[FlowFolder]:
        """Yield where flows lie, each folder once: the repository may be our own."""
        folders: dict[Path, FlowFolder] = {}
        for folder in self._all_folders(repository):
            folders.setdefault(folder.path, folder)
        yield from folders.values()

    def _all_folders(self, repository: str | None) -> Iterator[FlowFolder]:
        tops = (top_of(repository),) if repository is not None else ()
        for top in tops:
            yield from (FlowFolder(Scope.REPOSITORY, top, name, tops) for name in FOLDERS)
        own, ours = self._config_dir, self._built_in
        if own is not None:
            yield FlowFolder(Scope.USER, own, "flows", (own, *tops))
        yield FlowFolder(Scope.BUILT_IN, ours.parent, ours.name, (ours.parent, *tops))


def _in_words(found: list[FoundFlow]) -> str:
    """Return the names of flows, bounded."""
    names = sorted({each.name if each.definition else f"{each.name} (broken)" for each in found})
    more = [f"and {len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return ", ".join([*names[:_NAMED], *more]) or "none"


def _not_trusted(found: FoundFlow, commands: tuple[str, ...]) -> str:
    """Say what a flow would run, and how to let it."""
    lines = [f"- {' '.join(command.split())[:200]}" for command in commands[:_SHOWN]]
    if len(commands) > _SHOWN:
        lines.append(f"- and {len(commands) - _SHOWN} more")
    return "\n".join(
        [
            f"the flow {found.path} (sha256 {found.content_hash}) is not trusted as it is now. It runs:",
            *lines,
            f"Read it, then let it: treadle flow trust {found.name}",
        ]
    )
