"""`treadle up` and `treadle down`: the engine in one command, and its end."""

import asyncio
import os
import signal
import subprocess
import time
from typing import NoReturn

import psutil
import typer

from adapters.container import ContainerError, check_sandbox, is_container
from adapters.files.key_ring import KeyRing, KeyRingError
from adapters.files.secret_file import SecretFile
from adapters.host import known_host
from adapters.key_fingerprints import Keys, check_keys_in_file
from adapters.processes.confinement import Confinement
from adapters.processes.isolation import probe_isolation
from api.temporal_ui.place import find_web_ui
from api.webhooks.secrets import WebhookSecretError, check_senders
from cli.core.console import messages, print_json, say
from domain.core.errors import JournalError
from settings import Settings
from treadle.databases import check_databases, database_files
from treadle.engine import (
    LAUNCH,
    EngineError,
    EngineState,
    check_places,
    end_leftovers,
    engine_lock,
    is_restore_left,
    log_file,
    own_temporal,
    prepare_data_dir,
    running_engine,
    state_file,
    temporal_address,
    write_state,
)
from treadle.found import found_here
from treadle.logs import begin_log, last_lines, open_private
from treadle.parts import (
    api_part,
    port_holder,
    temporal_answers,
    temporal_part,
    wanted_ports,
    worker_part,
)
from treadle.root_run import become, root_words
from treadle.sandbox_choice import settled
from treadle.screen import Screen, summary
from treadle.supervisor import POLL_SECONDS, READY_SECONDS, Supervisor
from treadle.vanishing import until_a_file_is_gone

STOP_SECONDS = 60


def up(
    settings: Settings, *, is_detached: bool, is_loss_accepted: bool = False, as_json: bool
) -> None:
    """Start the engine, in the background or until a signal; one that runs already is shown.

    `is_loss_accepted` begins a database anew that is gone.
    """
    try:
        if words := root_words(settings):
            say(f"treadle up: {words}", style="yellow")
        for moved in prepare_data_dir(settings):
            say(f"treadle up: {moved}", style="yellow")
        if (running := running_engine(settings)) is not None:
            _show(settings, running, "Treadle is already running.", as_json=as_json)
            return
        settings = settled(settings)
        if is_detached:
            _show(
                settings,
                _start_detached(settings, is_loss_accepted),
                "Treadle runs in the background.",
                as_json=as_json,
            )
        else:
            asyncio.run(_run(settings, is_loss_accepted, as_json=as_json))
    except EngineError as error:
        say(f"treadle up: {error}", style="red")
        raise typer.Exit(1) from None


def up_as(user: str) -> NoReturn:
    """Start the engine as another user; called by root."""
    try:
        become(user)
    except EngineError as error:
        say(f"treadle up: {error}", style="red")
        raise typer.Exit(1) from None


def down(settings: Settings, *, as_json: bool) -> None:
    """Stop the engine of this data directory, and wait until it is gone."""
    running = running_engine(settings)
    if running is None:
        say(f"No engine is running on {settings.data_dir}.")
    else:
        process = psutil.Process(running.pid)
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()  # its children die with it
        say("Stopped. Threads continue with the next `treadle up`.")
    if as_json:
        print_json({"stopped": running is not None})


async def _run(settings: Settings, is_loss_accepted: bool, *, as_json: bool) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    with engine_lock(settings) as is_ours:
        if not is_ours:
            raise EngineError("another `treadle up` is starting on this data directory")
        end_leftovers(settings)
        _check_container(settings)
        _check_ports(settings)
        _check_webhooks(settings)
        aside = _finish_restore(settings)
        check_places(settings)
        for warning in [*aside, *check_databases(settings, is_loss_accepted=is_loss_accepted)]:
            say(f"treadle up: {warning}", style="yellow")
        await _check_keys(settings, is_loss_accepted)
        supervisor = Supervisor(settings, _fresh_state(settings))
        screen = Screen(settings, supervisor.state, is_silent=as_json)
        watching = asyncio.create_task(screen.run())
        starting = asyncio.create_task(_start(settings, supervisor))
        ending = [asyncio.create_task(stop.wait()), asyncio.create_task(_lost_file(settings))]
        try:
            await asyncio.wait({starting, *ending}, return_when=asyncio.FIRST_COMPLETED)
            if starting.done():
                await starting
                if as_json:
                    print_json(supervisor.state.model_dump())
            done, _ = await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
            await done.pop()
        finally:
            starting.cancel()
            await supervisor.stop()
            for task in (watching, *ending):
                task.cancel()
            await asyncio.gather(watching, starting, *ending, return_exceptions=True)
            state_file(settings).unlink(missing_ok=True)


def _finish_restore(settings: Settings) -> list[str]:
    if not is_restore_left(settings):
        return []
    from treadle.restore import finish_restore

    return finish_restore(settings)


async def _check_keys(settings: Settings, is_loss_accepted: bool) -> None:
    try:
        journal = database_files(settings).get("journal")
        if journal is not None and not is_loss_accepted:
            ring, codes = KeyRing(settings.payload_key_file), SecretFile(settings.code_key_file)
            keys = Keys(ring.every(), codes.read())
            check_keys_in_file(journal, known_host(settings.data_dir), keys)
            return
        from api.core.key_check import check_keys

        await check_keys(settings, is_loss_accepted=is_loss_accepted)
    except (JournalError, KeyRingError) as error:
        raise EngineError(str(error)) from error


async def _lost_file(settings: Settings) -> bool:
    raise EngineError(await until_a_file_is_gone(settings))


async def _start(settings: Settings, supervisor: Supervisor) -> None:
    parts = [worker_part(settings), api_part(settings)]
    if own_temporal():
        parts.insert(0, temporal_part(settings))
    elif not await temporal_answers(settings):
        raise EngineError(
            f"Temporal is not reachable at {temporal_address(settings)}: start it, or unset "
            "TEMPORAL_ADDRESS and TEMPORAL_PROFILE to use the embedded one"
        )
    await supervisor.start(parts)
    if own_temporal():
        from treadle.histories import keep_histories

        await keep_histories(settings)
    supervisor.state.status = "running"
    write_state(settings, supervisor.state)


def _fresh_state(settings: Settings) -> EngineState:
    web_ui = find_web_ui(settings)
    return EngineState(
        pid=os.getpid(),
        status="starting",
        api_url=settings.api_url,
        temporal_address=temporal_address(settings),
        ui_url=web_ui.address(settings.api_port) if web_ui else None,
        data_dir=str(settings.data_dir),
    )


def _check_container(settings: Settings) -> None:
    if not is_container():
        return  # where agents are told, and `treadle doctor` says it
    confinement = Confinement(probe_isolation())
    try:
        rules = settings.rules_on(confinement.strength)
        check_sandbox(confinement.lack_of(rules.of(None, None)))
    except ContainerError as error:
        raise EngineError(str(error)) from None


def _check_webhooks(settings: Settings) -> None:
    """Refuse to start where the API would not: it says so in its log alone."""
    try:
        check_senders(settings.webhooks)
    except WebhookSecretError as error:
        words = f"{error}: write one there, like the output of `openssl rand -hex 32`"
        raise EngineError(words) from None


def _check_ports(settings: Settings) -> None:
    for port, variable in wanted_ports(settings).items():
        if (holder := port_holder(port)) is not None:
            raise EngineError(
                f"port {port} is used by {holder.words}: stop it, or choose another port with {variable}"
            )


def _start_detached(settings: Settings, is_loss_accepted: bool) -> EngineState:
    """Start `treadle up` in a session of its own and wait until it answers."""
    log = log_file(settings, "engine")
    begin_log(log)
    with open_private(log, "w") as output:
        child = subprocess.Popen(  # noqa: S603  (our own launcher)
            [*LAUNCH, "up", *(["--accept-loss"] if is_loss_accepted else [])],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    deadline = time.monotonic() + 2 * READY_SECONDS
    while time.monotonic() < deadline:
        state = running_engine(settings)
        if state is not None and state.pid == child.pid and state.status == "running":
            return state
        if child.poll() is not None:
            raise EngineError(f"the engine did not start:\n{last_lines(log, 20)}")
        time.sleep(POLL_SECONDS)
    raise EngineError(f"the engine did not respond; see {log}")


def _show(settings: Settings, state: EngineState, headline: str, *, as_json: bool) -> None:
    if as_json:
        print_json(state.model_dump())
        return
    messages.print(headline, style="bold")
    messages.print(summary(state, found_here(settings)))
