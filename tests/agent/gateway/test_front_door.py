"""A browser makes loopback a public place: what is turned away, and what every answer wears."""

from collections.abc import AsyncGenerator

import pytest

from agent.gateway.front_door import BODY_BYTES_AT_MOST
from agent.gateway.own_address import host_allowed, is_loopback, media_origins, origin_is_ours
from tests.agent.gateway.visit import HERE, problem_code, site

ALLOWED = ("localhost", "127.0.0.1", "[::1]")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "localhost:8080x",
        "",
        "[::2]",
        "127.0.0.1.nip.io:8080",
        "localhost:80:80",
        "user@localhost",
        "localhost.",
    ],
)
async def test_given_a_foreign_host_when_asked_then_it_is_misdirected(host: str) -> None:
    async with site().visitor() as visitor:
        for path in ("/", "/healthz", "/api/people", "/metrics"):
            answer = await visitor.get(path, headers={"Host": host})
            assert (answer.status_code, problem_code(answer)) == (421, "host_not_ours")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8080", "127.0.0.1:5173", "[::1]:8080"])
def test_given_one_of_our_names_when_asked_then_it_is_let_in(host: str) -> None:
    assert host_allowed(host, ALLOWED)


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost:3000",
        "http://127.0.0.1:8080",
        "null",
        "",
        "http://localhost:8080.evil.example",
        "file://localhost:8080",
        "http://localhost:8080/x",
    ],
)
async def test_given_a_foreign_origin_when_it_writes_then_it_is_refused(origin: str) -> None:
    here = site()
    async with here.visitor() as visitor:
        answer = await visitor.post(
            "/api/sign-in", json={"name": "Eve"}, headers={"Origin": origin}
        )

    assert (answer.status_code, problem_code(answer)) == (403, "origin_not_ours")
    assert await here.store.people() == []


async def test_given_no_origin_when_a_cookie_writes_then_it_is_refused() -> None:
    async with site().visitor("Ada") as ada:
        del ada.headers["Origin"]
        answer = await ada.post("/api/token", json={})

    assert (answer.status_code, problem_code(answer)) == (403, "origin_not_ours")


async def test_given_a_foreign_page_when_it_asks_before_writing_then_no_cors_is_granted() -> None:
    async with site().visitor() as visitor:
        answer = await visitor.options(
            "/api/token",
            headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"},
        )

    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None]
)
async def test_given_a_form_when_it_is_posted_then_only_json_is_taken(kind: str | None) -> None:
    async with site().visitor() as visitor:
        headers = {} if kind is None else {"Content-Type": kind}
        answer = await visitor.post("/api/sign-in", content=b'{"name":"x"}', headers=headers)

    assert (answer.status_code, problem_code(answer)) == (415, "json_only")


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 60_000, b'{"name": NaN', b""])
async def test_given_unreadable_json_when_posted_then_the_answer_says_so(body: bytes) -> None:
    async with site().visitor() as visitor:
        answer = await visitor.post(
            "/api/sign-in", content=body, headers={"Content-Type": "application/json"}
        )

    assert answer.status_code in {400, 422}
    assert problem_code(answer) in {"body_unreadable", "field_not_accepted"}


async def test_given_a_huge_body_when_posted_then_it_is_too_large() -> None:
    async with site().visitor() as visitor:
        answer = await visitor.post("/api/sign-in", json={"name": "x" * BODY_BYTES_AT_MOST})

    assert (answer.status_code, problem_code(answer)) == (413, "body_too_large")


async def test_given_a_huge_body_without_length_when_posted_then_it_is_cut_off() -> None:
    sent = 0

    async def endless() -> AsyncGenerator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b"x" * 10_000

    async with site().visitor() as visitor:
        answer = await visitor.post(
            "/api/sign-in", content=endless(), headers={"Content-Type": "application/json"}
        )

    assert problem_code(answer) == "body_too_large"
    assert sent < 10


@pytest.mark.parametrize("path", ["/", "/api/people", "/api/nowhere", "/healthz"])
async def test_every_answer_wears_the_security_headers(path: str) -> None:
    async with site(livekit_public_url="ws://127.0.0.1:7880").visitor() as visitor:
        answer = await visitor.get(path)

    policy = dict(
        part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
    )
    assert policy["frame-ancestors"] == "'none'"
    assert policy["default-src"] == "'self'"
    assert policy["connect-src"] == "'self' ws://127.0.0.1:7880 http://127.0.0.1:7880"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-earwitness-build"]
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nowhere", 404),
        ("GET", "/api/", 404),
        ("DELETE", "/api/me", 405),
        ("POST", "/api/nowhere", 404),
        ("GET", "/api/sign-in", 405),
        ("POST", "/", 405),
    ],
)
async def test_given_an_address_that_does_not_exist_when_asked_then_a_problem_answers(
    method: str, path: str, status: int
) -> None:
    async with site().visitor() as visitor:
        answer = await visitor.request(method, path, json={})

    assert answer.status_code == status
    problem_code(answer)


@pytest.mark.usefixtures("out")
async def test_given_an_error_nobody_expected_when_it_breaks_then_nothing_inside_is_told() -> None:
    def broken() -> None:
        raise RuntimeError("the secret is swordfish")

    async with site(parts=broken).visitor() as visitor:
        answer = await visitor.get("/api/status")

    assert (answer.status_code, problem_code(answer)) == (500, "internal_error")
    assert "swordfish" not in answer.text


def test_an_origin_is_ours_only_under_the_very_host_that_was_asked() -> None:
    assert origin_is_ours(HERE, "localhost:8080")
    assert origin_is_ours("https://talk.example", "talk.example")
    assert not origin_is_ours("http://localhost", "localhost:8080")


def test_loopback_is_what_only_this_machine_reaches() -> None:
    assert all(is_loopback(one) for one in ("localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"))
    assert not any(is_loopback(one) for one in ("0.0.0.0", "::", "10.0.0.1", "example.org", ""))


def test_the_media_server_is_named_for_both_of_its_protocols() -> None:
    assert media_origins("wss://media.example:443/x") == (
        "wss://media.example:443",
        "https://media.example:443",
    )
