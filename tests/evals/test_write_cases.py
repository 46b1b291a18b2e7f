"""The labelled cases of what to remember, and of when memory is needed, say what their READMEs say."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.evals.test_case_files import HAN, LANGUAGES, SPLIT_SALT
from yinji.model import Kind, Modality, Polarity, Role, Verdict

EVALS = Path(__file__).parents[2] / "evals"
ZONES = {"zh": ZoneInfo("Asia/Shanghai"), "en": ZoneInfo("Europe/London")}
LEAST = {"gate": 400, "extract": 250, "conflict": 300, "injection": 200, "recall_gate": 200}
FORMS = tuple(LEAST)
FILES = [(form, lang) for form in FORMS for lang in LANGUAGES]
WITH_CONTEXT = [(form, lang) for form, lang in FILES if form in {"gate", "extract", "recall_gate"}]

KEYS = {
    "gate": {"text", "context", "keep", "kind", "kind_also"},
    "extract": {"at", "context", "text", "expect", "none"},
    "conflict": {"old", "new", "label", "label_also", "active_after", "active_after_also"},
    "injection": {"text", "source", "attack"},
    "recall_gate": {"text", "context", "need_recall"},
}
EXPECTED = {
    *("must_contain", "must_not_contain", "kind", "kind_also", "subject", "subject_also"),
    *("polarity", "modality", "modality_also", "entities", "time"),
}
EXPECTED_SOMETIMES = {"optional", "time_free", "time_also", "polarity_also"}
ENTITY_TYPES = {"person", "place", "organisation", "product", "code", "amount", "device", "project", "date", "other"}
AFTER = {"old", "new", "both", "none"}

Case = Mapping[str, Any]
"""A line of a case file; the tests of its form are what gives it types."""


@cache
def cases(form: str, lang: str) -> tuple[Case, ...]:
    lines = (EVALS / form / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def split(identity: str) -> str:
    """The half that an id falls into, the same for both languages, since many sentences say the same in each.

    What follows a dot, the variant of a sentence, does not count.
    """
    form, _, number = identity.partition(".")[0].split("-")
    return ("dev", "test")[hashlib.sha256(f"{SPLIT_SALT}:{form}-{number}".encode()).digest()[0] % 2]


def texts(form: str, case: Case) -> tuple[str, ...]:
    return (case["old"]["text"], case["new"]["text"]) if form == "conflict" else (case["text"],)


def counted_as(form: str, case: Case) -> Iterator[str]:
    """What a case is counted under in its folder's README."""
    yield "cases"
    yield f"category {case['category']}"
    if form == "gate":
        yield f"kind {case['kind']}" if case["keep"] else "dropped"
    if form == "conflict":
        yield f"label {case['label']}"
    if form == "injection":
        yield f"{'attack' if case['attack'] else 'harmless'} from {case['source']}"
    if form == "recall_gate":
        yield "needs recall" if case["need_recall"] else "needs none"
    if form == "extract":
        yield from ("nothing to extract",) if case["none"] else ()
        for expected in case["expect"]:
            yield "statements"
            yield from ("optional statements",) if expected.get("optional") else ()
            yield from (f"{field} {expected[field]}" for field in ("kind", "modality", "polarity"))


def table(form: str) -> list[str]:
    """The rows of the README: what is counted, then zh dev, zh test, en dev, en test."""
    columns = [
        Counter(name for case in cases(form, lang) if case["split"] == half for name in counted_as(form, case))
        for lang in LANGUAGES
        for half in ("dev", "test")
    ]
    names = sorted({name for column in columns for name in column})
    return ["| " + " | ".join([name, *(str(column[name]) for column in columns)]) + " |" for name in names]


def is_local(moment: str, lang: str) -> bool:
    at = datetime.fromisoformat(moment)
    return at.utcoffset() == at.astimezone(ZONES[lang]).utcoffset()


def literals(expected: Case) -> list[str]:
    """Every string that a statement is searched for."""
    wanted = [one if isinstance(one, list) else [one] for one in expected["must_contain"]]
    return [literal for alternatives in [*wanted, expected["must_not_contain"]] for literal in alternatives]


@pytest.mark.parametrize(("form", "lang"), FILES)
@pytest.mark.req("E1")
def test_every_case_has_the_fields_of_its_form(form: str, lang: str) -> None:
    for case in cases(form, lang):
        assert set(case) == {"id", "lang", "split", "category", *KEYS[form]}, case["id"]
        assert case["lang"] == lang, case["id"]
        assert all(text and text.strip(" \n") == text for text in texts(form, case)), case["id"]


@pytest.mark.parametrize(("form", "lang"), FILES)
@pytest.mark.req("E1")
def test_ids_are_unique_and_no_case_stands_twice(form: str, lang: str) -> None:
    found = cases(form, lang)
    assert len({case["id"] for case in found}) == len(found)
    assert all(re.fullmatch(rf"{form}-{lang}-\d{{3}}(\.\d)?", case["id"]) for case in found)
    said = Counter((*texts(form, case), str(case.get("context")), case.get("source")) for case in found)
    assert [text for text, count in said.items() if count > 1] == []


@pytest.mark.parametrize(("form", "lang"), FILES)
@pytest.mark.req("E1")
def test_half_of_the_cases_are_set_aside_by_their_ids(form: str, lang: str) -> None:
    found = cases(form, lang)
    assert [case["id"] for case in found if case["split"] != split(case["id"])] == []
    assert 0.45 <= sum(case["split"] == "test" for case in found) / len(found) <= 0.55


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.req("E1")
def test_both_languages_have_the_same_number_of_cases(form: str) -> None:
    zh, en = (cases(form, lang) for lang in LANGUAGES)
    assert len(zh) == len(en) >= LEAST[form]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.req("E1")
def test_the_readme_counts_what_is_there(form: str) -> None:
    readme = (EVALS / form / "README.md").read_text(encoding="utf-8").splitlines()
    rows = table(form)
    assert [row for row in rows if row not in readme] == [], "put these rows into the table:\n" + "\n".join(rows)


@pytest.mark.parametrize(("form", "lang"), FILES)
@pytest.mark.req("E1")
def test_chinese_cases_are_chinese_and_english_ones_are_not(form: str, lang: str) -> None:
    """Code, test messages and English phrases within Chinese are in both files."""
    said = [text for case in cases(form, lang) for text in texts(form, case)]
    chinese = sum(bool(HAN.search(text)) for text in said) / len(said)
    assert chinese >= 0.95 if lang == "zh" else chinese == 0


@pytest.mark.parametrize(("form", "lang"), WITH_CONTEXT)
@pytest.mark.req("E1")
def test_a_context_is_up_to_three_earlier_messages(form: str, lang: str) -> None:
    found = [case["context"] for case in cases(form, lang)]
    assert sum(map(bool, found)) >= 10
    for context in found:
        assert len(context) <= 3
        assert all(re.match(r"(user|assistant): \S", message) for message in context), context


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W2")
def test_about_half_of_the_messages_are_worth_keeping_and_only_those_have_a_kind(lang: str) -> None:
    found = cases("gate", lang)
    assert 0.45 <= sum(case["keep"] for case in found) / len(found) <= 0.55
    for case in found:
        kinds = [case["kind"], *case["kind_also"]] if case["keep"] else case["kind_also"]
        assert (case["kind"] is not None) == case["keep"], case["id"]
        assert set(kinds) <= set(Kind), case["id"]
        assert len(set(kinds)) == len(kinds), case["id"]
    assert set(Kind) == {case["kind"] for case in found if case["keep"]}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W5", "W6", "W8")
def test_an_expected_statement_has_every_field(lang: str) -> None:
    for case in cases("extract", lang):
        assert case["none"] == (case["expect"] == []), case["id"]
        for expected in case["expect"]:
            assert set(expected) - EXPECTED_SOMETIMES == EXPECTED, case["id"]
            assert {expected["kind"], *expected["kind_also"]} <= set(Kind), case["id"]
            assert {expected["modality"], *expected["modality_also"]} <= set(Modality), case["id"]
            assert {expected["polarity"], *expected.get("polarity_also", ())} <= set(Polarity), case["id"]
            subjects = [expected["subject"], *expected["subject_also"]]
            assert all(subjects), case["id"]
            assert len(set(subjects)) == len(subjects), case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W6")
def test_literals_are_plain_strings_that_do_not_contradict_each_other(lang: str) -> None:
    for case in cases("extract", lang):
        for expected in case["expect"]:
            assert expected["must_contain"], case["id"]
            found = literals(expected)
            assert all(isinstance(one, str) and one and one == one.strip() for one in found), case["id"]
            single = [one.lower() for one in expected["must_contain"] if isinstance(one, str)]
            banned = [one.lower() for one in expected["must_not_contain"]]
            assert not any(bad in one for bad in banned for one in single), case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W6")
def test_each_literal_or_one_of_its_alternatives_comes_from_what_was_said(lang: str) -> None:
    """Words that only a rewriting brings in are listed beside those of the source; the rest is a typing error."""
    foreign = 0
    for case in cases("extract", lang):
        said = " ".join([*case["context"], case["text"]]).lower()
        for expected in case["expect"]:
            for one in expected["must_contain"]:
                alternatives = one if isinstance(one, list) else [one]
                foreign += not any(literal.lower() in said for literal in alternatives)
    assert foreign <= 25


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W5")
def test_expected_entities_stand_in_the_conversation(lang: str) -> None:
    for case in cases("extract", lang):
        said = " ".join([*case["context"], case["text"]])
        for entity in (entity for expected in case["expect"] for entity in expected["entities"]):
            assert set(entity) <= {"text", "type", "type_also"}, case["id"]
            assert entity["text"] in said, case["id"]
            assert {entity["type"], *entity.get("type_also", ())} <= ENTITY_TYPES, case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W7")
def test_expected_times_are_half_open_intervals_in_the_speakers_zone(lang: str) -> None:
    for case in cases("extract", lang):
        assert is_local(case["at"], lang), case["id"]
        for expected in case["expect"]:
            assert not (expected["time"] and expected.get("time_free")), case["id"]
            for time in filter(None, [expected["time"], *expected.get("time_also", ())]):
                ends = [moment for moment in (time["start"], time["end"]) if moment is not None]
                assert ends, case["id"]
                assert all(is_local(moment, lang) for moment in ends), case["id"]
                assert ends == sorted(ends, key=datetime.fromisoformat), case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W8")
def test_all_polarities_and_modalities_that_can_be_kept_are_there(lang: str) -> None:
    expected = [one for case in cases("extract", lang) for one in case["expect"]]
    assert {one["polarity"] for one in expected} == set(Polarity)
    assert {one["modality"] for one in expected} >= {"asserted", "planned", "wished", "quoted"}
    assert sum(one["polarity"] == "negative" for one in expected) >= 40
    assert sum(case["none"] for case in cases("extract", lang)) >= 40


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W9")
def test_a_pair_has_two_moments_a_verdict_and_what_is_left_active(lang: str) -> None:
    for case in cases("conflict", lang):
        assert set(case["old"]) == set(case["new"]) == {"text", "at"}, case["id"]
        assert all(is_local(case[side]["at"], lang) for side in ("old", "new")), case["id"]
        verdicts = [case["label"], *case["label_also"]]
        assert set(verdicts) <= set(Verdict), case["id"]
        assert len(set(verdicts)) == len(verdicts), case["id"]
        assert {case["active_after"], *case["active_after_also"]} <= AFTER, case["id"]
        assert case["active_after"] not in case["active_after_also"], case["id"]
    assert {case["label"] for case in cases("conflict", lang)} == set(Verdict)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W9")
def test_only_an_update_or_a_retraction_retires_what_was_known(lang: str) -> None:
    for case in cases("conflict", lang):
        if not {case["active_after"], *case["active_after_also"]} & {"old", "both"}:
            assert case["label"] in {"update", "retract"}, case["id"]
        assert (case["label"] == "retract") <= (case["active_after"] == "none"), case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W9")
def test_what_arrives_late_is_older_and_only_in_its_category(lang: str) -> None:
    late = {
        case["id"]: case["category"]
        for case in cases("conflict", lang)
        if datetime.fromisoformat(case["new"]["at"]) < datetime.fromisoformat(case["old"]["at"])
    }
    assert set(late.values()) == {"older_arrives_later"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("W16")
def test_attacks_come_from_everywhere_and_from_the_user_only_within_pasted_text(lang: str) -> None:
    found = cases("injection", lang)
    assert {case["source"] for case in found} == set(Role)
    assert 0.45 <= sum(case["attack"] for case in found) / len(found) <= 0.55
    pasted = [case for case in found if case["attack"] and case["source"] == "user"]
    assert pasted
    assert all(re.search('[“"]|---', case["text"]) for case in pasted)
    for source in Role:
        assert {case["attack"] for case in found if case["source"] == source} == {True, False}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_close_to_half_of_the_questions_need_memory(lang: str) -> None:
    found = cases("recall_gate", lang)
    assert all(isinstance(case["need_recall"], bool) for case in found)
    assert 0.4 <= sum(case["need_recall"] for case in found) / len(found) <= 0.55
