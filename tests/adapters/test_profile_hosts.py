"""What the profiles of ours let agents reach is where their vendors serve the models from."""

import pytest

from adapters.files.agent_profiles import AgentFiles
from domain.core.hosts import MODEL_HOSTS, is_among


@pytest.mark.parametrize(
    ("agent", "host"),
    [
        ("gemini", "aiplatform.googleapis.com"),
        ("gemini", "us-central1-aiplatform.googleapis.com"),
        ("gemini", "europe-west4-aiplatform.googleapis.com"),
        ("gemini", "play.googleapis.com"),
        ("qwen", "dashscope-us.aliyuncs.com"),
        ("qwen", "coding-intl.dashscope.aliyuncs.com"),
        ("qwen", "portal.qwen.ai"),
    ],
)
def test_an_agent_reaches_the_servers_of_its_vendor(agent, host):
    assert is_among(host, AgentFiles().profile(agent).hosts or MODEL_HOSTS)


@pytest.mark.parametrize("host", ["storage.googleapis.com", "evil-aiplatform.googleapis.com"])
def test_no_other_server_of_theirs(host):
    assert not is_among(host, AgentFiles().profile("gemini").hosts)
