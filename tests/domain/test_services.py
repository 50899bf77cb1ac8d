"""Services of recipes: their order of start, whose they are, and what is told of them."""

from hypothesis import given
from hypothesis import strategies as st

from domain.recipes.faults import find_circle, find_recipe_faults
from domain.recipes.recipe import Service, User, WorkspaceRecipe
from domain.recipes.services import (
    ServiceRun,
    ServiceState,
    StartedService,
    describe_failures,
    describe_services,
    lease_name,
    services_for,
    start_order,
)

NAMES = st.sampled_from("abcdef")
NEEDS = st.dictionaries(NAMES, st.lists(NAMES, max_size=3), min_size=1)


def services_of(needs: dict[str, list[str]]) -> dict[str, Service]:
    return {name: Service(command="x", depends_on=tuple(o)) for name, o in needs.items()}


@given(NEEDS, st.lists(NAMES))
def test_a_service_starts_once_after_all_that_it_depends_on(needs, wanted):
    services = services_of(needs)
    order = start_order(services, wanted)
    known = {name: [other for other in others if other in needs] for name, others in needs.items()}

    assert len(set(order)) == len(order)
    assert {name for name in wanted if name in needs} <= set(order)
    assert all(other in order for name in order for other in known[name])
    if not find_circle(needs):
        place = {name: number for number, name in enumerate(order)}
        assert all(place[other] < place[name] for name in order for other in known[name])


@given(NEEDS, st.lists(NAMES))
def test_what_nobody_wants_or_needs_is_not_started(needs, wanted):
    reached, now = set(), {name for name in wanted if name in needs}
    while now:
        reached |= now
        now = {o for name in now for o in needs[name] if o in needs} - reached

    assert set(start_order(services_of(needs), wanted)) == reached


def test_a_user_has_its_own_services_and_what_they_depend_on():
    recipe = WorkspaceRecipe.model_validate(
        {
            "services": {
                "web": {"command": "w", "port": "web", "depends_on": ["db"], "for": ["agent"]},
                "db": {"command": "d", "port": "db", "for": ["verification"]},
                "all": {"command": "a", "for": ["person", "agent", "verification"]},
            }
        }
    )
    assert not list(find_recipe_faults(recipe))
    assert services_for(recipe.services, User.AGENT) == ("db", "web", "all")
    assert services_for(recipe.services, User.VERIFICATION) == ("db", "all")
    assert services_for(recipe.services, User.PERSON) == ("all",)


def test_users_have_ports_of_their_own_and_an_agents_are_its_tasks():
    names = {lease_name("web", user) for user in (User.AGENT, User.VERIFICATION, User.PERSON)}
    assert len(names) == 3
    assert "web" in names


def test_an_agent_and_a_report_are_told_what_failed_and_why():
    good = StartedService(
        name="db", run=ServiceRun(user=User.AGENT, number=20001, state=ServiceState.HEALTHY)
    )
    failed = ServiceRun(user=User.AGENT, state=ServiceState.FAILED, failure="exited with code 3")
    bad = StartedService(name="web", run=failed, output="no such module\n")
    told = describe_services((good, bad))

    assert "db runs at http://127.0.0.1:20001" in told
    assert "web does not run: exited with code 3\n```\nno such module\n```" in told
    assert describe_failures((good, bad)) == "service web: exited with code 3\nno such module"
    assert describe_failures((good,)) == describe_services(()) == ""
