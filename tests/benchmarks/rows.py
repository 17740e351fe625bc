"""What a benchmark yields: rows of `build/bench.json`, with the statistics that fill them."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypedDict

import numpy as np

RESAMPLES: Final = 10_000
SEED: Final = 1


class Row(TypedDict):
    """One figure."""

    name: str
    value: float
    unit: str
    baseline: float | None
    """What it is compared with, in the same unit and from the same run."""
    n: int
    low: float | None
    """Ends of the 95 % interval."""
    high: float | None


def row(
    name: str,
    value: float,
    unit: str,
    *,
    n: int = 1,
    baseline: float | None = None,
    interval: tuple[float, float] | None = None,
) -> Row:
    """Return one row, rounded to four significant digits."""
    low, high = interval if interval is not None else (None, None)
    return Row(
        name=name,
        value=_rounded(value),
        unit=unit,
        baseline=None if baseline is None else _rounded(baseline),
        n=n,
        low=None if low is None else _rounded(low),
        high=None if high is None else _rounded(high),
    )


def row_of(value: Mapping[str, Any]) -> Row:
    """Return a row that another program printed."""
    return Row(
        name=value["name"],
        value=value["value"],
        unit=value["unit"],
        baseline=value["baseline"],
        n=value["n"],
        low=value["low"],
        high=value["high"],
    )


def quantile_rows(
    name: str,
    values: Sequence[float],
    unit: str,
    *,
    tag: str = "",
    quantiles: Iterable[float] = (0.5, 0.95),
    baseline: float | None = None,
) -> list[Row]:
    """Return ``name.p50``, ``name.p95`` … with intervals by rank; nothing of no values.

    Args:
        name: Without the quantile.
        values: In ``unit``.
        unit: Of the values.
        tag: What follows the quantile, such as ``@tiny``.
        quantiles: 0..1.
        baseline: Of the median.
    """
    if not values:
        return []
    ordered = sorted(values)
    found: list[Row] = []
    for quantile in quantiles:
        low, value, high = _by_rank(ordered, quantile)
        found.append(
            row(
                f"{name}.p{quantile * 100:.0f}{tag}",
                value,
                unit,
                n=len(values),
                baseline=baseline if quantile == 0.5 else None,
                interval=(low, high),
            )
        )
    return found


def ratio_row(name: str, pairs: Sequence[tuple[float, float]]) -> list[Row]:
    """Return the median of the paired ratios with its bootstrap interval; nothing of no pairs."""
    if not pairs:
        return []
    ratios = [ours / theirs for ours, theirs in pairs]
    return [
        row(
            name,
            float(np.median(ratios)),
            "ratio",
            n=len(pairs),
            baseline=1.0,
            interval=bootstrap(ratios),
        )
    ]


def bootstrap(
    values: Sequence[float], statistic: Callable[..., Any] = np.median
) -> tuple[float, float]:
    """Return the 95 % percentile interval of a statistic of ``values``."""
    dice = np.random.default_rng(SEED)
    drawn = dice.choice(np.asarray(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(statistic(drawn, axis=1), (2.5, 97.5))
    return float(low), float(high)


def share_interval(hits: int, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z = 1.96
    share, spread = hits / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def table(rows: Sequence[Row]) -> str:
    """Return rows as people read them."""
    lines = [("name", "value", "unit", "baseline", "n", "95 %")]
    for each in rows:
        interval = "" if each["low"] is None else f"{each['low']:g} … {each['high']:g}"
        baseline = "" if each["baseline"] is None else f"{each['baseline']:g}"
        lines.append(
            (each["name"], f"{each['value']:g}", each["unit"], baseline, str(each["n"]), interval)
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in (1, 3, 4) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _by_rank(ordered: Sequence[float], quantile: float) -> tuple[float, float, float]:
    middle = quantile * (len(ordered) - 1)
    spread = 1.96 * math.sqrt(len(ordered) * quantile * (1 - quantile))
    low, high = (
        ordered[min(len(ordered) - 1, max(0, round(rank)))]
        for rank in (middle - spread, middle + spread)
    )
    return low, float(np.quantile(ordered, quantile)), high


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
