"""Keeping a lease: what lets a session have one writer, and a house service one runner.

A lease that ran out is lost only once another has taken it: the store decides that, and a stream's
expected head keeps two writers apart meanwhile. So a machine that was too busy to renew in time
goes on where it was, as long as nobody else came.
"""

import asyncio

from trail.errors import DependencyUnavailable, EarwitnessError
from trail.ports import Leases

LIFETIMES = 2
"""Without an answer from the store for this many lifetimes, its holder stops."""


class LeaseLost(EarwitnessError):
    """Somebody else may hold the lease by now. Stop at once what it was held for."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the lease {name} was lost")
        self.name = name


class Lease:
    """One lease of one holder."""

    def __init__(self, leases: Leases, name: str, holder: str, ttl_s: float) -> None:
        """Prepare a lease without taking it.

        Args:
            leases: Where it is kept.
            name: What it is for, such as the name of a stream.
            holder: Who wants it; unique among all who might.
            ttl_s: After how many seconds without renewal others may take it.
        """
        self._leases = leases
        self._name = name
        self._holder = holder
        self._ttl_s = ttl_s
        self._given_up_at = 0.0

    async def acquire(self) -> bool:
        """Take the lease; False if another holds it.

        Raises:
            DependencyUnavailable: the store did not answer.
        """
        asked = asyncio.get_running_loop().time()
        held = await self._leases.acquire(self._name, self._holder, ttl_s=self._ttl_s)
        if held:
            self._given_up_at = asked + LIFETIMES * self._ttl_s
        return held

    async def keep(self) -> None:
        """Renew three times per lifetime until cancelled (an essential service).

        A store that does not answer is asked again until `LIFETIMES` have passed.

        Raises:
            LeaseLost: another has taken it, or nobody could say for so long.
        """
        while True:
            await asyncio.sleep(self._ttl_s / 3)
            try:
                async with asyncio.timeout_at(self._given_up_at):
                    held = await self.acquire()
            except TimeoutError as error:
                raise LeaseLost(self._name) from error
            except DependencyUnavailable as error:
                if asyncio.get_running_loop().time() >= self._given_up_at:
                    raise LeaseLost(self._name) from error
                continue
            if not held:
                raise LeaseLost(self._name)

    async def release(self) -> None:
        """Give the lease back, so that others need not wait until it expires."""
        await self._leases.release(self._name, self._holder)
