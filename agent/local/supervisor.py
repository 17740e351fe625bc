"""Keeps the parts of a house running: starts them in order, restarts the dead, stops them all.

Every change is handed to ``changed`` as the whole list of parts; nothing else leaves this module.
A part that dies is started again with growing pauses, for as long as the house is wanted. A part
that says it was asked wrongly is not: the same arguments would fail the same way.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.local.child import Child, last_line, spawn, stop, turn_log
from agent.local.status import Part, PartState
from trail.clock import monotonic_s
from trail.errors import DependencyUnavailable

_PROBE_EVERY_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pauses:
    """How long to wait before a start is tried again."""

    first_s: float = 0.5
    longest_s: float = 30.0
    forgiven_after_s: float = 60.0
    """A part that ran this long starts with the first pause again."""

    def before_restart_s(self, failures: int) -> float:
        """Return the pause after ``failures`` (>= 1) starts that did not last."""
        return min(self.longest_s, self.first_s * 2.0 ** min(failures - 1, 32))


class Supervisor:
    """Runs children until told to stop.

    Guarantees: when `run` returns or raises, no child is left; children are stopped in the reverse
    of the order in which they were given.
    """

    def __init__(
        self,
        children: Sequence[Child],
        *,
        changed: Callable[[tuple[Part, ...]], None],
        pauses: Pauses | None = None,
        told: Callable[[Part], None] = lambda _part: None,
        also: Sequence[Part] = (),
    ) -> None:
        """Take what to run and whom to tell.

        Args:
            children: In the order in which they are started.
            changed: Gets the whole list of parts after each change.
            pauses: Between starts of a part that dies.
            told: Gets each part as it changes.
            also: Parts that are listed but not run, such as one that is off.
        """
        self._children = tuple(children)
        self._changed = changed
        self._pauses = pauses or Pauses()
        self._parts = {c.name: Part(name=c.name, state="starting") for c in children}
        self._also = tuple(also)
        self._told = told
        self._ready = {c.name: asyncio.Event() for c in children}
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """Ask for the end; `run` returns when every child is gone. May be called from a signal."""
        self._stopped.set()

    async def run(self) -> None:
        """Run until `stop`, or until a part says that it was asked wrongly.

        Raises:
            DependencyUnavailable: A part cannot run with these settings; it is named.
        """
        self._publish()
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._keep(c), name=c.name) for c in self._children]
                await self._stopped.wait()
                for task in reversed(tasks):
                    task.cancel()
                    await asyncio.wait([task])
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            self._publish()

    def kill(self) -> None:
        """End the parts at once; for a second Ctrl-C."""
        for part in self._parts.values():
            if "pid" in part.values:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(int(part.values["pid"]), signal.SIGKILL)

    async def is_ready(self, name: str) -> None:
        """Return when the child called ``name`` has been ready once."""
        await self._ready[name].wait()

    async def all_ready(self) -> None:
        """Return when every child has been ready once."""
        for event in self._ready.values():
            await event.wait()

    async def _keep(self, child: Child) -> None:
        """Start one child as often as needed, and note its end."""
        try:
            await self._keep_starting(child)
        finally:
            if self._parts[child.name].state != "failed":
                self._note(child, "stopped")

    async def _keep_starting(self, child: Child) -> None:
        for name in child.after:
            await self._ready[name].wait()
        turn_log(child.log_path)
        failures = restarts = 0
        while True:
            self._note(child, "starting" if restarts == 0 else "restarting", restarts=restarts)
            started_s = monotonic_s()
            detail, values = await self._one_life(child, restarts=restarts)
            if values.get("exit_code") in child.asked_wrongly_codes:
                self._note(child, "failed", "asked_wrongly", **values)
                reason = f"cannot run with these settings: {last_line(child.log_path)}"
                raise DependencyUnavailable(child.name, reason)
            lasted = monotonic_s() - started_s >= self._pauses.forgiven_after_s
            failures = 1 if lasted else failures + 1
            restarts += 1
            pause_s = self._pauses.before_restart_s(failures)
            self._note(
                child, "restarting", detail, **values, restart_in_s=pause_s, restarts=restarts
            )
            await asyncio.sleep(pause_s)

    async def _one_life(
        self, child: Child, *, restarts: int
    ) -> tuple[str, dict[str, str | int | float]]:
        """Run the child once; return why it ended. Always leaves it dead."""
        try:
            process = await spawn(child)
        except DependencyUnavailable as error:
            return "cannot_start", {"reason": str(error)}
        try:
            try:
                async with asyncio.timeout(child.ready_within_s):
                    while not await self._asked(child, process):
                        pass
            except TimeoutError:
                return "not_ready", {"waited_s": child.ready_within_s}
            if process.returncode is None:
                self._ready[child.name].set()
                self._note(child, "running", pid=process.pid, restarts=restarts)
            return "exited", {"exit_code": await process.wait()}
        finally:
            await stop(process, within_s=child.stop_within_s)

    @staticmethod
    async def _asked(child: Child, process: asyncio.subprocess.Process) -> bool:
        """Return whether there is nothing more to wait for; pauses if there is."""
        if process.returncode is not None or await child.ready():
            return True
        await asyncio.sleep(_PROBE_EVERY_S)
        return False

    def _note(
        self, child: Child, state: PartState, code: str | None = None, **values: str | int | float
    ) -> None:
        part = Part(name=child.name, state=state, detail_code=code, values=values)
        self._parts[child.name] = part
        self._publish()
        self._told(part)

    def _publish(self) -> None:
        self._changed((*self._parts.values(), *self._also))
