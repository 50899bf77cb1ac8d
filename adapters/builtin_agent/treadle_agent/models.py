"""Makes pydantic-ai's model of a name; each provider's library is loaded only where it is needed."""

from contextlib import suppress

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from treadle_agent.providers import OPENAI_URL, base_url, key

UNSET_KEY = "none"
"""For servers that want no key: the libraries insist on one."""


def make_model(model_id: str) -> Model:
    """Return the model of a name that `providers.problem_of` has no problem with."""
    prefix, _, name = model_id.partition(":")
    if prefix == "anthropic":
        return _anthropic(name)
    if prefix == "google":
        return _google(name)
    url = base_url(prefix)
    is_own = url is not None and url.rstrip("/") != OPENAI_URL
    if prefix == "openai-responses" or (prefix == "openai" and not is_own):
        return _openai_responses(name, url)
    return _openai_chat(name, url, key(prefix))


def load_library(model_id: str) -> None:
    """Load what `make_model` will need, ahead of the first prompt; a wrong name is told then."""
    with suppress(ImportError, UserError):
        make_model(model_id)


def settings_of(effort: str) -> ModelSettings:
    """Return the settings of every request; waiting and trying again is ours, not the library's."""
    settings = ModelSettings(max_retries=0, cache=True)
    if effort != "default":
        settings["thinking"] = effort  # type: ignore[typeddict-item]  # one of offers.EFFORTS
    return settings


def _anthropic(name: str) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(api_key=key("anthropic"), base_url=base_url("anthropic"))
    return AnthropicModel(name, provider=provider)


def _google(name: str) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=key("google"), base_url=base_url("google"))
    return GoogleModel(name, provider=provider)


def _openai_responses(name: str, url: str | None) -> Model:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=url or OPENAI_URL, api_key=key("openai") or UNSET_KEY)
    return OpenAIResponsesModel(name, provider=provider)


def _openai_chat(name: str, url: str | None, own: str | None) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=url or OPENAI_URL, api_key=own or UNSET_KEY)
    return OpenAIChatModel(name, provider=provider)
