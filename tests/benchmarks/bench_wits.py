"""What the local models know: the share of simple questions that are answered with the right word.

Asked as in a conversation: with the packaged character's prompt, the product's own client and its
temperature. A word counts wherever it stands, so this is an upper bound.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from livekit.agents import llm

from agent.local.model_fetch import obtain
from agent.local.model_lock import TIERS, load_lock
from agent.worker.plugins.thinking import LocalLLM
from config.character import load_characters
from config.load import load_settings
from tests.benchmarks.questions import WITS
from tests.benchmarks.rows import Row, row, share_interval
from tests.benchmarks.scale import Scale, tag
from tests.e2e.voices import words
from trail.ids import random_name

NAMES = ("wits.right_share",)


def rows(scale: Scale) -> Iterator[Row]:
    """Yield one row a tier."""
    for tier in scale.tiers:
        key = random_name(24)
        with _model_server(tier, key) as url:
            right = asyncio.run(_right(url, key, scale.samples))
        n = scale.samples * len(WITS)
        interval = share_interval(right, n)
        yield row(f"wits.right_share{tag(tier)}", right / n, "share", n=n, interval=interval)


async def _right(url: str, key: str, samples: int) -> int:
    prompt = load_characters(None)[load_settings().character].prompt
    model = LocalLLM(base_url=url, api_key=key)
    right = 0
    try:
        for question, expected in WITS * samples:
            context = llm.ChatContext.empty()
            context.add_message(role="system", content=prompt)
            context.add_message(role="user", content=question)
            said = ""
            async with model.chat(chat_ctx=context) as stream:
                async for chunk in stream:
                    said += (chunk.delta.content or "") if chunk.delta else ""
            right += not set(expected).isdisjoint(words(said))
    finally:
        await model.aclose()
    return right


@contextmanager
def _model_server(tier: str, key: str) -> Iterator[str]:
    """Serve the language model of a tier and yield the address."""
    model = _model_of(tier)
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.local.model_server", "--model", str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the model server has no pipes")
        process.stdin.write(f"{key}\n".encode())
        process.stdin.close()
        for line in process.stdout:
            state = json.loads(line)
            if state["state"] == "ready":
                yield str(state["base_url"])
                break
        else:
            raise RuntimeError(f"the model server ended with {process.wait()}")
    finally:
        process.terminate()
        process.wait(timeout=20)
        if process.stdout is not None:
            process.stdout.close()


def _model_of(tier: str) -> Path:
    wanted = next(known for known in TIERS if known == tier)
    model = obtain(load_lock(), "llm", wanted, load_settings().cache_dir)
    if wanted not in model.entry.tiers:
        raise RuntimeError(f"the model of tier {tier} cannot be had: only {model.entry.name}")
    return model.path
