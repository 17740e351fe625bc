"""Runs ``earwitness up`` in a network namespace of its own, with nothing but loopback in it.

``unshare --net python -m tests.e2e.in_no_network FLAGS…`` prints one JSON line: what was answered.
"""

import fcntl
import json
import signal
import socket
import struct
import subprocess
import sys
import urllib.error
import urllib.request

from trail.clock import monotonic_s

_SET_FLAGS = 0x8914  # SIOCSIFFLAGS
_IS_UP_AND_RUNS = 0x1 | 0x40
_READY_WITHIN_S = 240.0


def loopback_up() -> None:
    """Bring up ``lo``; a new namespace has it down and has nothing else."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14s", b"lo", _IS_UP_AND_RUNS, b"")
        fcntl.ioctl(any_socket, _SET_FLAGS, request)


def main(flags: list[str]) -> int:
    """Start, ask, end; 0 if the house started and ended well."""
    loopback_up()
    command = [sys.executable, "-m", "agent.cli.main", "up", *flags]
    started_s = monotonic_s()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    ready_s = monotonic_s() - started_s
    answers = {path: _asked(address + path) for path in ("/healthz", "/readyz", "/")}
    process.send_signal(signal.SIGINT)
    code = process.wait(timeout=60)
    told = {"interfaces": [name for _, name in socket.if_nameindex()], "address": address}
    sys.stdout.write(
        json.dumps({**told, "ready_s": ready_s, "answers": answers, "exit_code": code})
    )
    return code


def _asked(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
