from pathlib import Path

from scripts.stamps import Stamps, digest, files_below


def test_given_the_same_inputs_then_a_step_is_not_done_again(tmp_path: Path) -> None:
    stamps, product = Stamps(tmp_path / "stamps"), tmp_path / "made"
    product.touch()
    assert not stamps.holds("page", "a", product=product)

    stamps.put("page", "a")

    assert stamps.holds("page", "a", product=product)
    assert not stamps.holds("page", "b", product=product)
    assert not stamps.holds("other", "a", product=product)


def test_given_what_was_made_is_gone_then_the_step_is_done_again(tmp_path: Path) -> None:
    stamps = Stamps(tmp_path / "stamps")
    stamps.put("page", "a")

    assert not stamps.holds("page", "a", product=tmp_path / "gone")


def test_a_digest_changes_with_every_byte_and_name(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("x")
    two.write_text("x")

    assert digest([one]) == digest([one])
    assert digest([one]) != digest([two])
    assert digest(["ab", "c"]) != digest(["a", "bc"])


def test_what_is_made_is_not_among_the_sources(tmp_path: Path) -> None:
    for name in ("src/main.ts", "node_modules/x/index.js", "dist/index.html", "index.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    found = [
        str(path.relative_to(tmp_path))
        for path in files_below(tmp_path, without=("node_modules", "dist"))
    ]

    assert found == ["index.html", "src/main.ts"]
