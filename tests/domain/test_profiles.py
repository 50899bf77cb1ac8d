"""Whose refusals a turn of an agent falls under."""

import pytest

from domain.agents.profiles import AgentProfile, provider_of


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        (None, "mine"),
        ("gpt-9", "mine"),
        ("openai/gpt-9", "mine/openai"),
        ("openai:gpt-9", "mine/openai"),
        ("ollama/llama3:8b", "mine/ollama"),
    ],
)
def test_models_of_one_provider_share_its_refusals(model, provider):
    assert provider_of(AgentProfile(name="mine", command=("x",)), model) == provider
