"""Which entries of the queue start: limits, priority, dependencies, fair share."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from domain.queue.admission import admitted, needs, why
from domain.queue.entry import EntryState, QueueEntry, QueueLimits
from domain.queue.state import QueueState
from domain.queue.status import Load, Phase, WorkStatus

PROJECTS = ("/one", "/two", "/three")
HOSTS = ("a", "b")
STARTED = {EntryState.STARTING, EntryState.STARTED}


def entry(name: str, **more: object) -> QueueEntry:
    return QueueEntry(**{"entry_id": name, "project": "/one", "spec_ref": "x", **more})


def queue(*entries: QueueEntry, **more: object) -> QueueState:
    placed = {e.entry_id: e.model_copy(update={"order": n}) for n, e in enumerate(entries, 1)}
    return QueueState(**{"entries": placed, "is_informed": True, **more})


def ids(entries: Sequence[QueueEntry]) -> list[str]:
    return [e.entry_id for e in entries]


@st.composite
def queues(draw: st.DrawFn) -> QueueState:
    """Any queue at any moment."""
    names = [f"e{n}" for n in range(draw(st.integers(0, 8)))]
    entries = [
        entry(
            name,
            project=draw(st.sampled_from(PROJECTS)),
            host=draw(st.sampled_from(HOSTS)),
            priority=draw(st.integers(1, 5)),
            state=draw(st.sampled_from(EntryState)),
            after=tuple(draw(st.lists(st.sampled_from([*names, "other"]), max_size=2))),
            is_anyway=draw(st.booleans()),
        )
        for name in names
    ]
    work = st.sampled_from(Phase).map(lambda phase: WorkStatus(phase=phase, status=phase))
    few = st.integers(0, 2)
    loads = st.builds(
        Load,
        project=st.sampled_from(PROJECTS),
        host=st.sampled_from(HOSTS),
        working=few,
        asking=few,
    )
    some = st.integers(1, 4)
    return queue(
        *entries,
        statuses=draw(st.dictionaries(st.sampled_from([*names, "other"]), work)),
        loads=tuple(draw(st.lists(loads, max_size=3))),
        limits=QueueLimits(
            max_running=draw(some),
            per_project=draw(some),
            per_host=draw(some),
            max_reviews=draw(few),
        ),
        is_held=draw(st.booleans()),
    )


def working(state: QueueState) -> list[QueueEntry]:
    own = (e for e in state.entries.values() if e.state in STARTED)
    return [e for e in own if state.phase(e.entry_id) in {None, Phase.WORKING}]


@given(queues())
def test_what_starts_keeps_every_limit(state: QueueState):
    picked = admitted(state)

    if picked:
        limit, loads = state.limit, state.loads
        after = [*working(state), *picked]
        projects = Counter(e.project for e in after)
        hosts = Counter(e.host for e in after)
        for load in loads:
            projects[load.project] += load.working
            hosts[load.host] += load.working
        assert projects.total() <= limit.max_running
        assert all(projects[e.project] <= limit.per_project for e in picked)
        assert all(hosts[e.host] <= limit.per_host for e in picked)
        own = (state.phase(e.entry_id) for e in state.entries.values() if e.state in STARTED)
        asking = sum(load.asking for load in loads) + sum(phase is Phase.ASKING for phase in own)
        assert not limit.max_reviews or asking < limit.max_reviews


@given(queues())
def test_nothing_starts_before_all_it_waits_for_has_completed(state: QueueState):
    for picked in admitted(state):
        assert not state.is_held
        assert picked.state is EntryState.WAITING
        for name in () if picked.is_anyway else picked.after:
            ended = state.entries.get(name)
            is_done = ended is not None and ended.is_completed
            assert is_done or state.phase(name) is Phase.COMPLETED


@given(queues())
def test_a_place_that_is_free_is_given(state: QueueState):
    picked = admitted(state)

    started = {e.entry_id: e.model_copy(update={"state": EntryState.STARTING}) for e in picked}
    # how a thread stands is known once it has started, and not before
    known = {name: work for name, work in state.statuses.items() if name not in started}
    entries = {**state.entries, **started}
    then = state.model_copy(update={"entries": entries, "statuses": known})
    assert admitted(then) == ()
    for left in then.waiting:
        assert left.state is not EntryState.WAITING or why(then, left)


@given(queues())
def test_no_entry_starts_before_one_of_a_higher_priority_that_could(state: QueueState):
    picked = admitted(state)

    for left in state.waiting:
        if left.entry_id in ids(picked) or left.state is not EntryState.WAITING:
            continue
        if needs(state, left):
            continue
        for other in picked:
            is_alike = (other.project, other.host) == (left.project, left.host)
            assert not is_alike or other.priority <= left.priority


@given(st.lists(st.sampled_from(PROJECTS), min_size=1, max_size=12), st.integers(1, 3))
def test_no_one_starves_among_equals_though_others_keep_coming(crowd: list[str], places: int):
    limits = QueueLimits(max_running=places, per_project=places, per_host=places)
    state = queue(entry("patient", project="/four"), limits=limits, served={"/four": 1}, ticks=1)
    for number in range(len(PROJECTS) * 2 + 2):
        comer = entry(f"n{number}", project=crowd[number % len(crowd)], order=number + 2)
        ticks = state.ticks + 1
        served = {comer.project: ticks, **state.served}
        new = {**state.entries, comer.entry_id: comer}
        state = state.model_copy(update={"entries": new, "served": served, "ticks": ticks})
        picked = admitted(state)
        if "patient" in ids(picked):
            return
        # all that starts ends at once, and was served now
        served = {**state.served, **{e.project: state.ticks + 1 for e in picked}}
        left = {n: e for n, e in state.entries.items() if n not in ids(picked)}
        state = state.model_copy(
            update={"entries": left, "served": served, "ticks": state.ticks + 1}
        )
    raise AssertionError("it never started")


def test_projects_take_turns_whoever_came_first():
    limits = QueueLimits(max_running=3, per_project=3)
    state = queue(entry("a1"), entry("a2"), entry("a3"), entry("b1", project="/two"), limits=limits)

    assert ids(admitted(state)) == ["a1", "b1", "a2"]


def test_an_entry_without_room_in_its_project_lets_others_pass():
    limits = QueueLimits(max_running=4, per_project=1)
    state = queue(entry("a1", priority=1), entry("a2", priority=1), entry("b", project="/two"))

    assert ids(admitted(state.model_copy(update={"limits": limits}))) == ["a1", "b"]


def test_what_runs_without_the_queue_counts():
    load = (Load(project="/two", working=3),)
    state = queue(entry("a1"), entry("a2"), loads=load, limits=QueueLimits(max_running=4))

    assert ids(admitted(state)) == ["a1"]
    assert why(state, state.entries["a2"]) == "others go first"
    full = state.model_copy(update={"limits": QueueLimits(max_running=3)})
    assert why(full, state.entries["a1"]) == "3 of 3 run"
    lowered = state.model_copy(update={"limits": QueueLimits(max_running=1)})
    assert why(lowered, state.entries["a1"]) == "3 run, the limit is 1 now"


def test_results_that_wait_for_a_person_hold_up_the_rest():
    load = (Load(project="/two", asking=2),)
    state = queue(entry("a1"), loads=load, limits=QueueLimits(max_reviews=2))

    assert admitted(state) == ()
    assert why(state, state.entries["a1"]) == "2 of 2 wait for a person"


def test_nothing_starts_before_it_is_known_how_the_others_stand():
    state = queue(entry("a1"), is_informed=False)

    assert admitted(state) == ()
