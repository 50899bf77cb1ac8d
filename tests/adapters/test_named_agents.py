"""Agents and models that plans name are looked for among what is known of this host's agents."""

import pytest

from adapters.agent_programs.named_agents import MAX_KNOWN, HostNamedAgents
from domain.agents.checks import CheckKind
from domain.agents.offers import OfferedOption, OfferedValue
from tests.adapters.test_agent_statuses import Lab


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


@pytest.fixture
def named(lab):
    return HostNamedAgents(lab.files, lab.host)


def offer(lab, *models):
    values = tuple(OfferedValue(value=model) for model in models)
    option = OfferedOption(option_id="model", category="model", values=values)
    lab.keep(CheckKind.TRY, is_well=True, options=(option,))


def test_an_agent_that_is_not_here_is_told_with_those_that_are(named):
    assert named.why_not(None, "mine", None) == ""
    assert "no agent 'nobody'" in named.why_not(None, "nobody", "large")


def test_a_model_is_told_only_where_the_agent_told_of_its_models(lab, named):
    assert named.why_not(None, "mine", "tiny") == ""
    offer(lab, "large", "small")

    assert named.why_not(None, "mine", "large") == ""
    assert named.why_not(None, "mine", "tiny") == (
        "agent 'mine' told of no model 'tiny'; it has: large, small"
    )


def test_a_list_that_was_cut_says_nothing_of_what_is_not_in_it(lab, named):
    offer(lab, *(f"m{number}" for number in range(MAX_KNOWN)))
    assert named.why_not(None, "mine", "tiny") == ""
