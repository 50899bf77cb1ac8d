"""What `treadle doctor` finds of forges: where their tokens come from, and whose they are."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from adapters.forge.forges import tokens_of
from adapters.forge.sign_in import SignedIn, sign_in
from adapters.forge.tokens import Tokens
from domain.forges.errors import ForgeAccessError, ForgeBusyError, ForgeError
from domain.forges.settings import ForgeOptions
from settings import Settings, environment
from treadle.finding import Finding


def forge_findings(settings: Settings, *, is_online: bool) -> list[Finding]:
    """Return each forge that is in config.toml or has a token; online it is signed in at."""
    variables = environment(settings.forge_variables)
    named = {each.host for each in settings.forges}
    return [
        _finding(options, variables, is_online=is_online)
        for options in settings.known_forges
        if options.host in named or (options.token_env or "") in variables
    ]


def _finding(options: ForgeOptions, variables: Mapping[str, str], *, is_online: bool) -> Finding:
    tokens = tokens_of(options, variables, lambda _: None)
    name, source = f"forge {options.host}", f"{options.kind.value}, token from {tokens.name}"
    if tokens.is_missing():
        fix = f"set {tokens.name} where the worker starts"
        return Finding(name=name, is_well=False, is_required=False, found=source, fix=fix)
    if not is_online:
        return Finding(name=name, is_well=True, is_required=False, found=source)
    try:
        found = asyncio.run(_signed_in(options, tokens))
    except ForgeError as error:
        return Finding(name=name, is_well=False, is_required=False, found=source, fix=error.message)
    scopes = ", ".join(found.missing)
    fix = f"make a token with the scope {scopes}, which this one lacks" if scopes else ""
    return Finding(
        name=name,
        is_well=not found.missing,
        is_required=False,
        found=f"{source}, signed in as {found.login}",
        fix=fix,
    )


async def _signed_in(options: ForgeOptions, tokens: Tokens) -> SignedIn:
    """Return whose token it is; an error says what to do, as that of a token that cannot be had does already."""
    with suppress(ForgeBusyError):  # signing in finds that too
        await tokens.token()
    try:
        return await sign_in(options, tokens)
    except ForgeError as error:
        raise type(error)(f"{error.message}{_advice(error, options, tokens.name)}") from error


def _advice(error: ForgeError, options: ForgeOptions, source: str) -> str:
    if isinstance(error, ForgeBusyError):
        if error.wait is not None:
            return "; ask again then"
        return "; look whether it is up, and at `api_url` of this host in config.toml"
    if not isinstance(error, ForgeAccessError):
        return ""
    if options.cli:
        return f"; log in again with `{options.cli} auth login`"
    if options.app_id:
        return "; look at what the App may do, and where it is installed"
    return f"; make another one, and give it to the worker as {source}"
