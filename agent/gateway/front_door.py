"""The outermost layer: what is turned away before any route sees it, and what every answer wears.

Foreign hosts (421), writing without JSON (415) or from a foreign page (403), bodies that are too
large (413) or never end (408). Every answer gets the security headers, is counted and logged;
what nobody expected becomes a problem that says nothing of the inside.
"""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.gateway.house_port import GatewayHouse
from agent.gateway.measures import Measures
from agent.gateway.own_address import host_allowed, media_origins, origin_is_ours
from agent.gateway.problems import Refusal, internal, problem

log = structlog.get_logger()

BODY_BYTES_AT_MOST: Final = 64 * 1024
_BODY_WAIT_S: Final = 10.0
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_JSON: Final = "application/json"


def security_headers(livekit_url: str) -> dict[str, str]:
    """Return the headers of every answer."""
    policy = {
        "default-src": "'self'",
        "connect-src": " ".join(("'self'", *media_origins(livekit_url))),
        "img-src": "'self' data: blob:",
        "media-src": "'self' blob:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(self), microphone=(self), display-capture=(self), "
        "autoplay=(self), fullscreen=(self), geolocation=(), payment=(), usb=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }


class FrontDoor:
    """ASGI layer around the whole application."""

    def __init__(self, app: ASGIApp, *, house: GatewayHouse, measures: Measures, build: str):
        self._app = app
        self._house = house
        self._measures = measures
        self._worn = {**security_headers(house.livekit_public_url), "X-Earwitness-Build": build}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began_s = self._house.monotonic_s()
        answer = _Answer(send, self._worn)
        try:
            body = await self._let_in(scope, receive)
            await self._app(scope, body, answer.send)
        except Refusal as refusal:
            await problem(refusal)(scope, receive, answer.send)
        except Exception:
            log.exception("request_broke", method=scope["method"], route=_route(scope))
            if not answer.started:
                await problem(internal())(scope, receive, answer.send)
        finally:
            took_s = self._house.monotonic_s() - began_s
            self._note(scope, answer.status, took_s)

    async def _let_in(self, scope: Scope, receive: Receive) -> Receive:
        headers = Headers(scope=scope)
        host = headers.get("host")
        if host is None or not host_allowed(host, self._house.allowed_hosts):
            raise Refusal(
                HTTPStatus.MISDIRECTED_REQUEST,
                "host_not_ours",
                "This house does not answer under that name; see the setting access.allowed_hosts.",
            )
        if scope["method"] in _SAFE:
            return receive
        _refuse_foreign_page(headers, host)
        body = await _whole_body(headers, receive)
        _refuse_other_than_json(scope["method"], headers, body)
        return _replay(body, receive)

    def _note(self, scope: Scope, status: int, took_s: float) -> None:
        route = _route(scope)
        self._measures.answered(scope["method"], route, status, took_s)
        told = log.info if route.startswith("/api") else log.debug
        told(
            "request_answered",
            method=scope["method"],
            route=route,
            status=status,
            took_ms=round(took_s * 1000, 1),
        )


class _Answer:
    """Puts the headers on an answer and remembers whether it has begun."""

    def __init__(self, send: Send, worn: Mapping[str, str]) -> None:
        self._send = send
        self._worn = worn
        self.status = 0

    @property
    def started(self) -> bool:
        return self.status != 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            headers.update(self._worn)
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)


def _route(scope: Scope) -> str:
    """Return the pattern that was matched, never the address with its ids."""
    route: Any = scope.get("route")
    other = "unknown" if scope["path"].startswith("/api") else "page"
    return str(getattr(route, "path", "")) or other


def _refuse_foreign_page(headers: Headers, host: str) -> None:
    origin = headers.get("origin")
    # Without an Origin: no page can send a bearer token unasked, and we never agree to that.
    ours = origin_is_ours(origin, host) if origin is not None else "authorization" in headers
    if not ours:
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            "origin_not_ours",
            "Writing is allowed from this house's own pages only; send their Origin.",
        )


def _refuse_other_than_json(method: str, headers: Headers, body: bytes) -> None:
    if method == "DELETE" and not body:
        return
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _JSON:
        raise Refusal(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "json_only",
            "Send JSON, with Content-Type: application/json.",
        )


async def _whole_body(headers: Headers, receive: Receive) -> bytes:
    declared = headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > BODY_BYTES_AT_MOST:
        raise _too_large()
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_WAIT_S):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    break
                body += message.get("body", b"")
                if len(body) > BODY_BYTES_AT_MOST:
                    raise _too_large()
                if not message.get("more_body", False):
                    break
    except TimeoutError as error:
        raise Refusal(
            HTTPStatus.REQUEST_TIMEOUT, "body_too_slow", "The body did not arrive in time."
        ) from error
    return bytes(body)


def _too_large() -> Refusal:
    return Refusal(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "body_too_large",
        f"A body has at most {BODY_BYTES_AT_MOST} bytes.",
        headers={"Connection": "close"},
    )


def _replay(body: bytes, receive: Receive) -> Receive:
    unread = [body]

    async def again() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        return await receive()

    return again
