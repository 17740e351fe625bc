"""Cutting a rules file into rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.rule_text import CHARS_AT_MOST, MARKS_AT_MOST, rule_texts

RULE = '@id("a.b")\npermit (principal, action, resource);'


def test_given_two_rules_when_cut_then_each_knows_its_first_line() -> None:
    found = list(rule_texts(f"// about\n\n{RULE}\n\n// and\n  {RULE}\n"))

    assert [(cut.text, cut.line) for cut in found] == [(RULE, 3), (RULE, 7)]


@pytest.mark.parametrize("text", ["", "\n\n", "// only words; no rule\n", "  // no line feed"])
def test_given_nothing_but_blanks_and_comments_when_cut_then_there_is_no_rule(text: str) -> None:
    assert list(rule_texts(text)) == []


@pytest.mark.parametrize("string", ["a;b", 'a\\";b', "a // b;", "a\nb;", "\\\\"])
def test_given_a_semicolon_in_a_string_when_cut_then_the_rule_goes_on(string: str) -> None:
    rule = f'@reason("{string}") permit (principal, action, resource);'

    assert [cut.text for cut in rule_texts(rule + RULE)] == [rule, RULE]


def test_given_a_semicolon_in_a_comment_when_cut_then_the_rule_goes_on() -> None:
    rule = "permit (principal, // everybody;\n action, resource);"

    assert [cut.text for cut in rule_texts(rule)] == [rule]


@pytest.mark.parametrize("rest", ["permit (", '@id("never closed', '"\\'])
def test_given_words_after_the_last_rule_when_cut_then_they_are_not_lost(rest: str) -> None:
    found = list(rule_texts(f"{RULE}\n{rest}"))

    assert [(cut.text, cut.line) for cut in found] == [(RULE, 1), (rest, 3)]


def test_given_brackets_in_a_string_when_measured_then_they_do_not_count() -> None:
    (cut,) = rule_texts(f'@id("{"(" * 1000}");')

    assert cut.marks == 4


def test_given_a_rule_that_would_overflow_the_parser_when_measured_then_it_is_too_large() -> None:
    nested = "(" * (MARKS_AT_MOST + 1)
    long = "a" * (CHARS_AT_MOST + 1)

    assert [cut.is_too_large for text in (nested, long, RULE) for cut in rule_texts(text)] == [
        True,
        True,
        False,
    ]


@given(st.text(alphabet='ab ;"\\/\n(', max_size=60))
def test_nothing_but_blanks_and_comments_is_lost(text: str) -> None:
    found = list(rule_texts(text))

    rest = text
    for cut in found:
        before, cut_here, rest = rest.partition(cut.text)
        assert cut_here
        assert all(not line.strip() or "//" in line for line in before.split("\n"))
