"""Errors → problem details (RFC 9457). The one table from class to HTTP status.

A problem carries a stable ``code`` for programs and a sentence for people. It never repeats what
the caller sent, except names of fields, and never says what went on inside.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from policy.errors import PolicyDenied
from trail.errors import (
    DependencyUnavailable,
    EarwitnessError,
    PositionConflict,
    TrailCorrupt,
)

log = structlog.get_logger()

MEDIA_TYPE: Final = "application/problem+json"
_FIELD_CHARS = 80
_RETRY_AFTER_S = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongField:
    """One field that cannot be taken as it is."""

    field: str
    """Path such as ``room_config.agents.0.agent_name``."""
    detail: str


class Refusal(EarwitnessError):
    """A request that gets a clear answer instead of what it asked for."""

    def __init__(
        self,
        status: HTTPStatus,
        code: str,
        detail: str,
        *,
        fields: Sequence[WrongField] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.fields = tuple(fields)
        self.headers = dict(headers or {})


class FieldProblem(BaseModel):
    """One field that was not accepted."""

    field: str
    detail: str


class ProblemDetails(BaseModel):
    """The shape of every error."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: list[FieldProblem] | None = None


TABLE: Final[Mapping[type[EarwitnessError], tuple[HTTPStatus, str, str]]] = {
    DependencyUnavailable: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "unavailable",
        "A part of the house does not answer. Try again in a moment.",
    ),
    PositionConflict: (
        HTTPStatus.CONFLICT,
        "conflict",
        "Somebody else changed this at the same moment. Try again.",
    ),
    PolicyDenied: (HTTPStatus.FORBIDDEN, "policy_denied", "The rules in force do not permit it."),
    TrailCorrupt: (
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "trail_corrupt",
        "The stored record does not verify. Nothing of it is shown.",
    ),
}
_UNLISTED = (
    HTTPStatus.INTERNAL_SERVER_ERROR,
    "internal_error",
    "Something went wrong here. It has been logged.",
)


def problem(refusal: Refusal) -> Response:
    """Return the response that tells of ``refusal``."""
    body: dict[str, Any] = {
        "type": f"urn:earwitness:problem:{refusal.code}",
        "title": refusal.status.phrase,
        "status": int(refusal.status),
        "code": refusal.code,
        "detail": refusal.detail,
    }
    if refusal.fields:
        body["errors"] = [
            {"field": wrong.field[:_FIELD_CHARS], "detail": wrong.detail}
            for wrong in refusal.fields
        ]
    return Response(
        # ASCII: names of fields may hold halves of characters that UTF-8 cannot write
        json.dumps(body, ensure_ascii=True),
        status_code=refusal.status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **refusal.headers},
    )


def translated(error: EarwitnessError) -> Refusal:
    """Return what a caller is told of ``error``."""
    if isinstance(error, Refusal):
        return error
    status, code, detail = next(
        (row for kind, row in TABLE.items() if isinstance(error, kind)), _UNLISTED
    )
    if isinstance(error, PolicyDenied):
        reasons = "; ".join(reason.text for reason in error.decision.reasons)
        return Refusal(status, code, f"Not permitted: {reasons}." if reasons else detail)
    if isinstance(error, DependencyUnavailable):
        return Refusal(status, code, detail, headers={"Retry-After": str(_RETRY_AFTER_S)})
    return Refusal(status, code, detail)


def internal() -> Refusal:
    """Return what a caller is told of an error nobody expected."""
    return Refusal(*_UNLISTED)


def wrong_field(field: str, detail: str) -> Refusal:
    """Return the refusal of a body because of one field."""
    return Refusal(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "field_not_accepted",
        f"{field[:_FIELD_CHARS]}: {detail}",
        fields=(WrongField(field=field, detail=detail),),
    )


def not_found() -> Refusal:
    """Return the answer to everything foreign and everything unknown."""
    return Refusal(HTTPStatus.NOT_FOUND, "not_found", "There is nothing here for you.")


def install(app: FastAPI) -> None:
    """Answer every error of ``app`` with problem details."""
    app.add_exception_handler(EarwitnessError, _on_expected)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)


async def _on_expected(_request: Request, error: Exception) -> Response:
    if not isinstance(error, EarwitnessError):
        raise error
    refusal = translated(error)
    if refusal.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        part = error.dependency if isinstance(error, DependencyUnavailable) else None
        kind = type(error).__name__
        log.error("request_failed", error=kind, code=refusal.code, dependency=part)
    return problem(refusal)


async def _on_invalid(_request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    wrong = [_wrong(item) for item in error.errors()]
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return problem(_unreadable())
    names = ", ".join(item.field[:_FIELD_CHARS] for item in wrong[:5])
    return problem(
        Refusal(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "field_not_accepted",
            f"Not accepted: {names}.",
            fields=wrong[:20],
        )
    )


def _wrong(item: Mapping[str, Any]) -> WrongField:
    parts = [str(part) for part in item["loc"]]
    where = parts[1:] if parts[0] in {"body", "query", "path", "header"} else parts
    match item["type"]:
        case "extra_forbidden":
            detail = "cannot be set here"
        case "missing":
            detail = "is missing"
        case _:
            detail = str(item["msg"]).removeprefix("Value error, ")
    return WrongField(field=".".join(where) or "body", detail=detail)


def _unreadable() -> Refusal:
    return Refusal(HTTPStatus.BAD_REQUEST, "body_unreadable", "The body is not readable JSON.")


async def _on_http(_request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    match status:
        case HTTPStatus.NOT_FOUND:
            refusal = not_found()
        case HTTPStatus.METHOD_NOT_ALLOWED:
            refusal = Refusal(status, "method_not_allowed", "This address takes other methods.")
        case HTTPStatus.BAD_REQUEST:
            refusal = _unreadable()
        case _:
            refusal = Refusal(status, status.name.lower(), f"{status.phrase}.")
    refusal.headers.update(error.headers or {})
    return problem(refusal)
