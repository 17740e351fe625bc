"""The built page: hashed files for ever, the page itself asked for anew, its own routes served."""

from pathlib import Path

import pytest

from agent.gateway.page import build_id
from tests.agent.gateway.visit import problem_code, site


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    page = tmp_path / "a page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>Talk</title>")
    (page / "favicon.svg").write_text("<svg/>")
    (page / "assets" / "index-abc123.js").write_text("export {}")
    (tmp_path / "secret.txt").write_text("secret")
    return page


@pytest.mark.parametrize("path", ["/", "/sessions", "/sessions/01a2", "/index.html", "/memory"])
async def test_given_one_of_the_pages_own_routes_when_opened_then_the_page_comes_afresh(
    folder: Path, path: str
) -> None:
    async with site(page_folder=folder).visitor() as visitor:
        answer = await visitor.get(path)
        again = await visitor.get(path, headers={"If-None-Match": answer.headers["etag"]})

    assert answer.status_code == 200
    assert "<title>Talk</title>" in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert again.status_code == 304


async def test_given_a_hashed_file_when_fetched_then_it_may_be_kept_for_ever(folder: Path) -> None:
    async with site(page_folder=folder).visitor() as visitor:
        script = await visitor.get("/assets/index-abc123.js")
        icon = await visitor.get("/favicon.svg")
        head = await visitor.head("/assets/index-abc123.js")

    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in script.headers["content-type"]
    assert icon.headers["cache-control"] == "no-cache"
    assert head.status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/assets/gone-123.js",
        "/assets/",
        "/gone.png",
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/api/gone",
        "/%00.js",
    ],
)
async def test_given_a_file_that_is_not_there_when_fetched_then_it_is_not_the_page(
    folder: Path, path: str
) -> None:
    async with site(page_folder=folder).visitor() as visitor:
        answer = await visitor.get(path)

    assert (answer.status_code, problem_code(answer)) == (404, "not_found")


async def test_given_no_built_page_when_opened_then_it_says_how_to_build_it() -> None:
    async with site(page_folder=None).visitor() as visitor:
        answer = await visitor.get("/")

    assert answer.status_code == 503
    assert answer.headers["content-type"].startswith("text/html")
    assert "make up" in answer.text


async def test_given_another_page_when_built_then_every_answer_tells_of_it(folder: Path) -> None:
    async with site(page_folder=folder).visitor() as visitor:
        before = await visitor.get("/api/version")
    (folder / "index.html").write_text("<!doctype html><title>Talk, newer</title>")
    async with site(page_folder=folder).visitor() as visitor:
        after = await visitor.get("/healthz")

    assert before.json()["software"] == "1.2.3"
    assert before.headers["x-earwitness-build"] == before.json()["build"]
    assert after.headers["x-earwitness-build"] != before.json()["build"]


def test_a_build_without_a_page_is_named_by_the_program_alone(tmp_path: Path) -> None:
    assert build_id("1.2.3", None) == build_id("1.2.3", tmp_path) == "1.2.3"
