"""``earwitness up``: everything on this machine, in one command, ended by Ctrl-C.

Steps that may fail come first and start nothing; then the parts run under a supervisor until a
signal ends them, in the reverse of the order in which they were started.
"""

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from agent.cli.news import News
from agent.cli.options import Config, DataDir, Host, LiveKitPort, Port, Tier, flags_of, settings_of
from agent.cli.parts import House, children_of, story_of
from agent.cli.prepare import (
    livekit_host,
    require_free,
    require_media,
    require_models,
    require_server,
    wanted_ports,
)
from agent.local.addresses import Addresses, remove_addresses, write_addresses
from agent.local.child import Child
from agent.local.instance_lock import instance_lock
from agent.local.ports import free_port, is_wsl
from agent.local.secrets import load_secrets
from agent.local.status import Part, write_parts
from agent.local.supervisor import Supervisor
from agent.wiring.store import migrate
from config.settings import Settings


def up(
    config: Config = None,
    data_dir: DataDir = None,
    host: Host = None,
    port: Port = None,
    livekit_port: LiveKitPort = None,
    tier: Tier = None,
) -> None:
    """Start everything on this machine and print the address. Ctrl-C ends it."""
    flags = flags_of(data_dir=data_dir, host=host, port=port, livekit_port=livekit_port, tier=tier)
    settings = settings_of(
        config=config,
        data_dir=data_dir,
        host=host,
        port=port,
        livekit_port=livekit_port,
        tier=tier,
    )
    news = News()
    with instance_lock(settings.data_dir):
        house = _prepared(settings, news, arguments=_arguments(config, flags))
        try:
            asyncio.run(_run(house, news))
        finally:
            remove_addresses(settings.data_dir)
    news.say("Everything has ended.")


def _prepared(settings: Settings, news: News, *, arguments: tuple[str, ...]) -> House:
    """Check, fetch and migrate; return what is to be started."""
    own_livekit = settings.livekit.url is None
    tcp_media = is_wsl()
    require_free(wanted_ports(settings, own_livekit=own_livekit, tcp_media=tcp_media))
    require_media(settings)
    server = require_server(settings, news) if own_livekit else None
    brains = require_models(settings, news)
    asyncio.run(migrate(settings))
    model_server_port = free_port() if brains.path("llm") else None
    local_url = f"ws://{livekit_host(settings)}:{settings.livekit.port}"
    addresses = Addresses(
        page_url=f"http://{_readable(settings.host)}:{settings.port}",
        livekit_url=settings.livekit.url or local_url,
        model_server_url=(
            f"http://127.0.0.1:{model_server_port}/v1" if model_server_port else None
        ),
        supervisor_pid=os.getpid(),
    )
    write_addresses(settings.data_dir, addresses)
    return House(
        settings=settings,
        secrets=load_secrets(settings.data_dir),
        server=server,
        brains=brains,
        addresses=addresses,
        model_server_port=model_server_port,
        arguments=arguments,
        tcp_media=tcp_media,
    )


async def _run(house: House, news: News) -> None:
    """Run the parts until a signal or a part that cannot run ends it."""
    children, also = children_of(house)
    supervisor = Supervisor(
        children,
        changed=lambda parts: write_parts(house.settings.data_dir, parts),
        also=also,
        told=lambda part: _tell(part, children, news),
    )
    loop = asyncio.get_running_loop()
    asked: list[int] = []

    def stop(number: int) -> None:
        asked.append(number)
        if len(asked) == 1:
            news.say("Ending …")
            supervisor.stop()
        else:
            supervisor.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop, number)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(supervisor.run(), name="supervisor")
        greeting = group.create_task(_greet(house, supervisor, news), name="greeting")
        await asyncio.wait([running])
        greeting.cancel()


async def _greet(house: House, supervisor: Supervisor, news: News) -> None:
    """Print the address when the page answers, and the models when they do."""
    news.say("Starting …")
    await supervisor.is_ready("house")
    for line in story_of(house):
        news.say(line)
    await supervisor.all_ready()
    print(house.addresses.page_url, flush=True)
    news.say(f"Open {house.addresses.page_url} and click “Start talking”. Ctrl-C ends it.")


def _tell(part: Part, children: Sequence[Child], news: News) -> None:
    """Report a part that died, by name, and that it is back."""
    if part.state == "running" and part.values.get("restarts"):
        news.say(f"{part.name} runs again.")
    if part.state != "restarting" or "restart_in_s" not in part.values:
        return
    log = next(child.log_path for child in children if child.name == part.name)
    why = {
        "exited": f"ended by itself (exit code {part.values.get('exit_code')})",
        "not_ready": f"was not ready within {part.values.get('waited_s')} s",
        "cannot_start": f"could not be started: {part.values.get('reason')}",
    }
    said = why.get(part.detail_code or "", "ended")
    news.say(f"{part.name} {said}; again in {part.values['restart_in_s']} s. Its log: {log}")


def _arguments(config: Path | None, flags: dict[str, object]) -> tuple[str, ...]:
    """Return the flags as the house process takes them."""
    named = {"--config": config, "--data-dir": flags["data_dir"], "--host": flags["host"]}
    named |= {"--port": flags["port"], "--livekit-port": flags["livekit__port"]}
    named |= {"--tier": flags["models__tier"]}
    return tuple(
        text for name, value in named.items() if value is not None for text in (name, str(value))
    )


def _readable(host: str) -> str:
    return "localhost" if host in ("127.0.0.1", "::1") else host
