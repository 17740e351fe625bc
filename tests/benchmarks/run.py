"""``python -m tests.benchmarks.run [--only PREFIX]``: runs benchmarks and writes their figures.

Prints a table and writes ``build/bench.json``, a list of rows; how the machine was while they were
taken goes to ``build/bench-machine.json``. ``--only`` runs the parts that have such rows and leaves
those of other parts as an earlier run found them. ``--quick`` only shows that everything works and
writes to ``build/bench-quick.json``. A part that fails is reported and the others go on; the exit
code is then 1.
"""

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from tests.benchmarks import (
    bench_house,
    bench_overhead,
    bench_turns,
    bench_wits,
    figures_page,
    other_parts,
)
from tests.benchmarks.machine import Diary
from tests.benchmarks.rows import Row, table
from tests.benchmarks.scale import FULL, QUICK, Scale

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "build"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One benchmark."""

    name: str
    names: tuple[str, ...]
    """Of its rows, or how they begin."""
    rows: Callable[[Scale], Iterable[Row]]
    whole_names: bool = False

    def has(self, prefix: str) -> bool:
        """Tell whether it may yield rows whose names begin with ``prefix``."""
        return any(
            name.startswith(prefix) or (not self.whole_names and prefix.startswith(name))
            for name in self.names
        )


PARTS: Final = (
    Part(name="policy", names=other_parts.POLICY_NAMES, rows=other_parts.policy),
    Part(name="face", names=other_parts.FACE_NAMES, rows=other_parts.face),
    Part(name="kills", names=other_parts.KILLS_NAMES, rows=other_parts.kills),
    Part(name="wits", names=bench_wits.NAMES, rows=bench_wits.rows),
    Part(name="turns", names=bench_turns.NAMES, rows=bench_turns.rows),
    Part(name="processor", names=bench_house.PROCESSOR_NAMES, rows=bench_house.processor),
    Part(name="memory", names=bench_house.MEMORY_NAMES, rows=bench_house.memory),
    Part(name="rooms", names=bench_house.ROOMS_NAMES, rows=bench_house.rooms),
    *(
        Part(
            name=f"overhead{variant.tag}",
            names=bench_overhead.names(variant),
            rows=partial(bench_overhead.rows, variant=variant),
            whole_names=True,
        )
        for variant in bench_overhead.VARIANTS
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tests.benchmarks", description=__doc__)
    parser.add_argument("--only", default="", metavar="PREFIX", help="what has rows that begin so")
    parser.add_argument("--quick", action="store_true", help="a few of each, to see that it works")
    parser.add_argument("--tier", choices=FULL.tiers, help="these local models only")
    parser.add_argument("--write-docs", action="store_true", help="fill docs/figures.md")
    parser.add_argument("--list", action="store_true", help="print the names and run nothing")
    asked = parser.parse_args(arguments)
    chosen = [part for part in PARTS if part.has(asked.only)]
    if not chosen:
        known = ", ".join(name for part in PARTS for name in part.names)
        parser.error(f"nothing is named {asked.only!r}; names begin with {known}")
    if asked.list:
        print("\n".join(name for part in chosen for name in part.names))
        return 0
    scale = QUICK if asked.quick else FULL
    if asked.tier:
        scale = replace(scale, tiers=(asked.tier,))
    name = "bench-quick" if asked.quick else "bench"
    result, diary = BUILD / f"{name}.json", BUILD / f"{name}-machine.json"
    rows, failed = _run(chosen, scale, result, Diary(diary))
    print(table(rows))
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    if asked.write_docs:
        figures_page.write(ROOT / "docs" / "figures.md", _stored(result), diary)
    return 1 if failed else 0


def _run(
    parts: Sequence[Part], scale: Scale, result: Path, diary: Diary
) -> tuple[list[Row], list[str]]:
    """Run parts one after another; each row is on disk before the next is measured."""
    found: list[Row] = []
    failed: list[str] = []
    for part in parts:
        print(f"{part.name} …", file=sys.stderr, flush=True)
        try:
            with diary.part(part.name):
                for each in part.rows(scale):
                    found.append(each)
                    _store(result, each)
        except Exception:  # noqa: BLE001 - one part's failure does not cost the others' figures
            traceback.print_exc()
            failed.append(part.name)
    return found, failed


def _store(result: Path, found: Row) -> None:
    """Put a row into the result, in place of an earlier one of that name."""
    known = {each["name"]: each for each in (*_stored(result), found)}
    result.parent.mkdir(parents=True, exist_ok=True)
    result.write_text(json.dumps(list(known.values()), indent=2) + "\n", encoding="utf-8")


def _stored(result: Path) -> list[Row]:
    if not result.exists():
        return []
    rows: list[Row] = json.loads(result.read_text(encoding="utf-8"))
    return rows


if __name__ == "__main__":
    sys.exit(main())
