"""The local language model, as a process of its own that speaks OpenAI's protocol on loopback.

``python -m agent.local.model_server --model FILE``: the key is the first line of standard input or
of ``--key-file``. One JSON line a state goes to standard output: ``{"state": "loading"}``, then
``{"state": "ready", "port": …, "base_url": …}``. Every route demands the key except ``/health``,
which says "ok" and nothing else; slots, metrics and changing properties are off, and no page in a
browser may call it. The process ends with its parent.

Conversations and the cache of their prompts: each slot keeps what it has read. A request that names
its slot (``id_slot``) finds it there. One that names none takes the slot that was idle longest;
what that slot held is kept in memory and comes back when its conversation does. Choosing slots by
likeness is off: two conversations with one character begin alike and would take turns in one slot,
reading everything again each time (measured: 300 tokens and growing instead of 97 a turn).

Exit codes: 0 asked to stop, 1 failed, 2 asked wrongly (another start would fail the same way).
"""

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import xllamacpp

from agent.local.model_lock import load_lock

HOST = "127.0.0.1"
CONTEXT_TOKENS = 4_096
"""Of one conversation: what it is told and what it answers."""
SLOTS = 2
BATCH_TOKENS = 128
"""Read at once: while one conversation's prompt is read, another gets a word in between."""
CACHE_MIB = 1_024
"""Memory for conversations that have no slot; 4096 tokens of the 1.5B model take 115 MiB."""
GGUF_MAGIC = b"GGUF"
PARENT_CHECK_S = 0.5
NICENESS = 5
"""Thinking gives way to hearing and speaking: a voice that runs dry is heard, a word that is
written 30 ms later is not."""
FAILED, ASKED_WRONGLY = 1, 2


class ModelUnusable(Exception):
    """The model file cannot be loaded; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How to serve which model."""

    model: Path
    name: str
    key: str
    port: int = 0
    """0: any free one."""
    threads: int = 2
    context_tokens: int = CONTEXT_TOKENS
    slots: int = SLOTS
    cache_mib: int = CACHE_MIB


def check_model(path: Path) -> None:
    """Refuse a file that is missing, cut short or no model at all.

    Raises:
        ModelUnusable: It cannot be loaded.
    """
    try:
        have = path.stat().st_size
        with path.open("rb") as file:
            magic = file.read(len(GGUF_MAGIC))
    except OSError as error:
        raise ModelUnusable(
            f"model file {path} cannot be read: {error.strerror}; run `earwitness models fetch`"
        ) from error
    files = [file for entry in load_lock().model for file in entry.files]
    listed = [file.size for file in files if file.name == path.name]
    if listed and have != listed[0]:
        raise ModelUnusable(
            f"model file {path} is cut short: {have} of {listed[0]} bytes; "
            "run `earwitness models fetch`"
        )
    if magic != GGUF_MAGIC:
        raise ModelUnusable(f"model file {path} is no GGUF model")


def start(wish: Wish) -> Any:
    """Load the model and serve it; keep the returned object, its end is the server's end.

    Raises:
        ModelUnusable: The model cannot be loaded.
    """
    check_model(wish.model)
    runtime: Any = xllamacpp
    params = runtime.CommonParams()
    params.model.path = str(wish.model)
    params.model_alias = {wish.name}
    params.hostnames = [HOST]
    params.port = wish.port
    params.api_keys = [wish.key]
    params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.ui = params.cors_credentials = False
    params.cors_origins = f"http://{HOST}"
    params.n_ctx = wish.context_tokens * wish.slots
    params.n_parallel = wish.slots
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = wish.threads
    params.slot_prompt_similarity = 0.0
    params.cache_ram_mib = wish.cache_mib
    params.verbosity = 0
    try:
        return runtime.Server(params)
    except Exception as error:
        raise ModelUnusable(f"model file {wish.model} cannot be loaded: {error}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until asked to stop or left alone by the parent; return only what went wrong."""
    parent = os.getppid()
    os.nice(NICENESS)
    ended = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        wish = _wish(arguments)
        _say({"state": "loading", "model": wish.name})
        server = start(wish)
    except ModelUnusable as error:
        sys.stderr.write(f"{error}\n")
        return ASKED_WRONGLY
    address = str(server.listening_address)
    _say({"state": "ready", "port": int(address.rpartition(":")[2]), "base_url": f"{address}/v1"})
    while not ended.wait(PARENT_CHECK_S):
        if os.getppid() != parent:
            break
    os._exit(0)  # an orderly end of the engine waits for its connections, half a minute and more


def _wish(arguments: Sequence[str] | None) -> Wish:
    parser = argparse.ArgumentParser(prog="agent.local.model_server")
    parser.add_argument("--model", type=Path, required=True, help="GGUF file")
    parser.add_argument("--name", help="what the model is called; default: the file's name")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--context-tokens", type=int, default=CONTEXT_TOKENS)
    parser.add_argument("--slots", type=int, default=SLOTS)
    parser.add_argument("--cache-mib", type=int, default=CACHE_MIB)
    parser.add_argument("--key-file", type=Path, help="default: the first line of standard input")
    asked = parser.parse_args(arguments)
    key = (asked.key_file.read_text() if asked.key_file else sys.stdin.readline()).strip()
    if not key:
        parser.error("no key was given on standard input")
    return Wish(
        model=asked.model,
        name=asked.name or asked.model.stem,
        key=key,
        port=asked.port,
        threads=asked.threads,
        context_tokens=asked.context_tokens,
        slots=asked.slots,
        cache_mib=asked.cache_mib,
    )


def _say(state: dict[str, str | int]) -> None:
    sys.stdout.write(json.dumps(state) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
