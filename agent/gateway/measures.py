"""Counters of the gateway for Prometheus. Labels name routes, never people."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Measures:
    """What the gateway counts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "earwitness_http_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "earwitness_http_request_seconds",
            "Time until a request was answered in full.",
            ("route",),
            registry=registry,
        )
        self._limited = Counter(
            "earwitness_http_limited",
            "Requests turned away because there were too many.",
            ("what",),
            registry=registry,
        )

    def answered(self, method: str, route: str, status: int, took_s: float) -> None:
        """Count one answer; ``status`` 0 means that the caller went away first."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(took_s)

    def limited(self, what: str) -> None:
        """Count one request that came too often."""
        self._limited.labels(what).inc()
