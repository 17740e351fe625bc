"""The worker: takes jobs from a LiveKit server, one session each, and drains when told to stop."""

import asyncio
import multiprocessing
import signal
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import structlog
from livekit.agents import AgentServer, JobContext, JobExecutorType, JobProcess, JobRequest

from agent.wiring.engines import LocalEngines, load_engines
from agent.wiring.house import House, open_house
from agent.worker.errand import AGENT_NAME, errand_of
from agent.worker.session import converse
from agent.worker.watch import watch_sessions
from config.logging import configure_logging
from config.settings import Settings
from trail.clock import monotonic_s
from trail.errors import EarwitnessError
from trail.ids import random_name

AVATAR = "avatar-"
"""Identities of avatars begin so; nobody else's may."""
FULL = 0.999
"""Share of its sessions from which a worker takes no more; the framework refuses 1."""
SETTLE_S = 8.0
"""How long running sessions may take to end in good order."""
CLOSE_S = 2 * SETTLE_S
"""And all of the framework, which may wait for ever for a process that it killed."""

log = structlog.get_logger()


class Stops:
    """Tells running sessions, each in its own thread's loop, that the worker stops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._stopped = False

    @asynccontextmanager
    async def session(self) -> AsyncGenerator[asyncio.Event]:
        """Yield the event that will be set in this loop when the worker stops."""
        stopping = asyncio.Event()
        with self._lock:
            self._running[stopping] = asyncio.get_running_loop()
            if self._stopped:
                stopping.set()
        try:
            yield stopping
        finally:
            with self._lock:
                del self._running[stopping]

    def stop(self) -> None:
        """Set every running session's event."""
        with self._lock:
            self._stopped = True
            for stopping, loop in self._running.items():
                loop.call_soon_threadsafe(stopping.set)

    async def settled(self, *, within_s: float) -> bool:
        """Wait until no session runs; False if some still do after ``within_s``."""
        end_s = monotonic_s() + within_s
        while self._running:
            if monotonic_s() > end_s:
                return False
            await asyncio.sleep(0.05)
        return True


class Jobs:
    """The entry point of jobs that run as threads of this process and share its house."""

    def __init__(self, house: House, engines: LocalEngines) -> None:
        self._house = house
        self._engines = engines
        self.stops = Stops()

    async def entry(self, ctx: JobContext) -> None:
        """Run one session."""
        async with self.stops.session() as stopping:
            await converse(ctx, self._house, self._engines, stopping=stopping)


async def accept(request: JobRequest) -> None:
    """Take a job if our gateway asked for it; refuse anything else."""
    try:
        errand_of(request.job.metadata)
    except ValueError:
        log.warning("job_refused", job_id=request.id)
        await request.reject()
    else:
        await request.accept(name="Avatar", identity=f"{AVATAR}{random_name(9)}")


def thread_server(house: House, jobs: Jobs) -> AgentServer:
    """Return a worker whose jobs are threads of this process."""
    server = AgentServer(
        job_executor_type=JobExecutorType.THREAD,
        setup_fnc=nothing_to_prepare,
        ws_url=house.media.url,
        api_key=house.media.api_key,
        api_secret=house.media.api_secret,
        load_fnc=no_load,
        load_threshold=float("inf"),
        num_idle_processes=1,
        host="127.0.0.1",
        port=0,
        shutdown_process_timeout=SETTLE_S,
    )
    server.rtc_session(jobs.entry, agent_name=AGENT_NAME, on_request=accept)
    return server


def process_server(house: House) -> AgentServer:
    """Return a worker whose jobs are processes of their own, each with its own house.

    It is full by its sessions, not by the machine's load: a local model that thinks uses every
    core for a second, which says nothing about the room for another person.
    """
    settings = house.settings.livekit

    def share_taken(server: AgentServer) -> float:
        return min(1.0, len(server.active_jobs) / settings.sessions_at_most)

    server = AgentServer(
        job_executor_type=JobExecutorType.PROCESS,
        setup_fnc=partial(prepare_process, house.settings),
        ws_url=house.media.url,
        api_key=house.media.api_key,
        api_secret=house.media.api_secret,
        load_fnc=share_taken,
        load_threshold=FULL,
        num_idle_processes=1,
        host="127.0.0.1",
        port=settings.health_port,
        initialize_process_timeout=120.0,
        shutdown_process_timeout=SETTLE_S,
    )
    server.rtc_session(process_entry, agent_name=AGENT_NAME, on_request=accept)
    return server


def no_load(_: AgentServer) -> float:
    """Report no load: the media server passes over a worker whose machine is busy, and on one
    machine there is no other worker to send people to.
    """
    return 0.0


def nothing_to_prepare(_: JobProcess) -> None:
    """Prepare a job thread: everything is loaded already."""


def prepare_process(settings: Settings, process: JobProcess) -> None:
    """Open the house of a job process before it takes a job.

    Args:
        settings: The worker's own, flags included, handed over when the process starts.
        process: Keeps what is loaded.

    Raises:
        EarwitnessError: Something is missing; the log says what.
    """
    configure_logging(level=settings.log_level)
    try:
        house = open_house(settings)
        process.userdata["house"] = house
        process.userdata["engines"] = asyncio.run(load_engines(house.settings, house.secrets))
    except EarwitnessError as error:
        log.error("job_process_not_ready", reason=str(error))  # noqa: TRY400 - it says all
        raise


async def process_entry(ctx: JobContext) -> None:
    """Run one session in a process of its own, until it is over or the worker stops."""
    held = ctx.proc.userdata
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    await converse(ctx, held["house"], held["engines"], stopping=stopping)


async def run_worker(server: AgentServer, house: House, jobs: Jobs | None) -> None:
    """Run a worker until cancelled, then end its sessions in good order."""
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(watch_sessions(house), name="watch sessions")
            await server.run(devmode=False)
    finally:
        if jobs is not None:
            jobs.stops.stop()
            await jobs.stops.settled(within_s=SETTLE_S)
            await server.aclose()
        else:
            await _close_processes(server)


async def _close_processes(server: AgentServer) -> None:
    """Have sessions in processes of their own end now, and leave no process behind."""
    for child in multiprocessing.active_children():
        child.terminate()  # a process without a session ignores it
    try:
        async with asyncio.timeout(CLOSE_S):
            await server.aclose()
    except TimeoutError:
        log.warning("worker_closed_late")
    for child in multiprocessing.active_children():
        child.kill()
