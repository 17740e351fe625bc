"""Loading rules: what is refused, where the fault is, and that nothing half comes into force."""

import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from policy.errors import RulesInvalid
from policy.requests import Action
from policy.ruleset import load_rules
from trail.events.policy import Effect

GOOD = """
// An operator's own.
@id("operator.no-kiosk")
@reason("not at the kiosk")
forbid (principal, action in [Action::"capture", Action::"egress"], resource)
when { context.channel == "kiosk" };
"""


def rule(text: str = "true", *, head: str = '@id("operator.x") @reason("because")') -> str:
    return f"\n\n{head}\npermit (principal, action, resource) when {{ {text} }};\n"


def refused(path: Path) -> RulesInvalid:
    with pytest.raises(RulesInvalid) as caught:
        load_rules(path)
    return caught.value


def written(folder: Path, content: str | bytes, name: str = "own.cedar") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_every_shipped_rule_stands_in_the_file_of_its_action() -> None:
    for found in load_rules().rules:
        file = Path(found.place.rpartition(":")[0])

        assert found.actions == {Action(file.stem)}
        assert found.rule_id.startswith(f"{file.stem}.")


def test_given_rules_of_an_operator_when_loaded_then_they_join_their_actions(
    tmp_path: Path,
) -> None:
    shipped = load_rules()

    both = load_rules(written(tmp_path, GOOD))

    (own,) = set(both.rules) - set(shipped.rules)
    assert (own.rule_id, own.effect, own.reason) == (
        "operator.no-kiosk",
        Effect.DENY,
        "not at the kiosk",
    )
    assert own.place == f"{tmp_path / 'own.cedar'}:3"
    assert {a for a in Action if len(both.parsed[a]) > len(shipped.parsed[a])} == own.actions


def test_given_a_folder_when_loaded_then_its_files_are_read_in_order_of_their_names(
    tmp_path: Path,
) -> None:
    written(tmp_path, rule(head='@id("z.z") @reason("r")'), "a.cedar")
    written(tmp_path, rule(head='@id("a.a") @reason("r")'), "b.cedar")
    written(tmp_path, "not a rule", "notes.txt")

    assert [found.rule_id for found in load_rules(tmp_path).rules[-2:]] == ["z.z", "a.a"]


def test_given_a_rule_without_an_action_when_loaded_then_it_holds_for_all(tmp_path: Path) -> None:
    own = load_rules(written(tmp_path, rule())).by_id["operator.x"]

    assert own.actions == set(Action)


@pytest.mark.parametrize("content", ["", "\n", "// nothing yet\n", "\ufeff// with a mark\r\n"])
def test_given_a_file_without_rules_when_loaded_then_the_shipped_ones_hold(
    tmp_path: Path, content: str
) -> None:
    assert load_rules(written(tmp_path, content)).rules == load_rules().rules


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (rule(head='@reason("because")'), "needs an @id"),
        (rule(head='@id @reason("because")'), "needs an @id"),
        (rule(head='@id("What I think") @reason("because")'), "needs an @id"),
        (rule(head='@id("policy.mine") @reason("because")'), "must not begin with 'policy.'"),
        (rule(head='@id("egress.local-conversation") @reason("because")'), "is taken by"),
        (rule(head='@id("operator.x")'), "needs a @reason"),
        (rule(head='@id("operator.x") @reason(" ")'), "needs a @reason"),
        (rule(head='@id("operator.x") @reason("two\nlines")'), "needs a @reason"),
        (rule(head='@id("operator.x") @reason("r") @obligation("pray")'), "nothing carries out"),
        (rule(head='@id("operator.x") @reason("r") @obligations("a")'), "unknown annotation"),
        (rule(head='@id("a.b") @id("a.c") @reason("r")'), "duplicate annotation: @id"),
        (rule("context.mood == 1"), "`mood` in context for Action"),
        (rule('context.session == "x"'), "optional attribute `session`"),
        (rule('context.consents.contains(Consent::"cameras")'), '`"cameras"` is not declared'),
        (rule('resource.owner == Person::"anna"'), "unrecognized entity type `Person`"),
        (rule("context.others_present"), "expected Bool"),
        (rule('context.others_present > "1"'), "expected Long but saw String"),
        (rule("1 +"), "not a Cedar rule"),
        (rule("(" * 100_000), "split it"),
        (rule("1" + " + 1" * 1_900 + " == 1"), "split it"),
        ("\n\npermit (principal == ?principal, action, resource);", "a template decides nothing"),
        ("\n\npermit (principal, action, resource)", "not a Cedar rule: unexpected end"),
        ("\n\n;", "not a Cedar rule"),
        ('\n\n@id("never closed', "not a Cedar rule"),
        ("\n\n\x00;", "not a Cedar rule: invalid token"),
        (b"\n// \xff\xfe", "is not UTF-8"),
    ],
)
def test_given_a_faulty_rule_when_loaded_then_file_line_and_fault_are_named(
    tmp_path: Path, content: str | bytes, fault: str
) -> None:
    path = written(tmp_path, content)

    error = refused(path)

    assert error.place == str(path)
    assert error.line == (2 if isinstance(content, bytes) else 3)
    assert str(error).startswith(f"{path}:{error.line}: ")
    assert fault in str(error)


def test_given_the_same_id_twice_when_loaded_then_both_places_are_named(tmp_path: Path) -> None:
    written(tmp_path, rule(), "a.cedar")
    written(tmp_path, rule(), "b.cedar")

    error = refused(tmp_path)

    assert error.place == str(tmp_path / "b.cedar")
    assert f"{tmp_path / 'a.cedar'}:3" in str(error)


def test_given_a_huge_file_when_loaded_then_it_is_refused_unread(tmp_path: Path) -> None:
    assert "split it into several files" in str(refused(written(tmp_path, " " * 1_000_001)))


def test_given_nothing_to_read_when_loaded_then_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "folder.cedar").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "loop.cedar").symlink_to(tmp_path / "loop.cedar")

    assert "does not exist" in str(refused(tmp_path / "gone.cedar"))
    assert "holds no .cedar file" in str(refused(tmp_path / "empty"))
    assert "cannot be read" in str(refused(tmp_path / "loop.cedar"))
    assert "cannot be read" in str(refused(tmp_path))


def test_given_an_obligation_that_is_carried_out_when_loaded_then_it_is_kept(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, rule(head='@id("a.b") @reason("r") @obligation("redact, tell")'))

    owed = load_rules(path, obligations=("redact", "tell")).by_id["a.b"].obligations

    assert owed == ("redact", "tell")


def test_given_an_obligation_on_a_forbid_when_loaded_then_it_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("forbid", '@obligation("redact") forbid'))

    with pytest.raises(RulesInvalid, match="a forbid owes nothing"):
        load_rules(path, obligations=("redact",))


def test_given_any_change_when_digested_then_the_digest_is_another(tmp_path: Path) -> None:
    written(tmp_path, GOOD, "a.cedar")
    copy = shutil.copytree(tmp_path, tmp_path / "copy")
    digests = [load_rules().digest, load_rules(tmp_path).digest]
    written(tmp_path, f"{GOOD}// a word more", "a.cedar")
    digests.append(load_rules(tmp_path).digest)

    assert len(set(digests)) == 3
    assert load_rules(copy).digest == digests[1]


def test_given_text_moved_into_another_file_when_digested_then_the_digest_is_another(
    tmp_path: Path,
) -> None:
    written(tmp_path, "//added/b.cedar//", "a.cedar")
    before = load_rules(tmp_path).digest
    written(tmp_path, "//", "a.cedar")
    written(tmp_path, "//", "b.cedar")

    assert load_rules(tmp_path).digest != before


def test_the_rules_that_are_in_force_can_be_kept() -> None:
    folder = files("policy.rules")

    assert dict(load_rules().texts) == {
        item.name: item.read_text()
        for item in folder.iterdir()
        if item.name.endswith((".cedar", ".cedarschema"))
    }
