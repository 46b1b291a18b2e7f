"""The labelled cases under `evals/` say what their READMEs say: form, offsets, checksums, splits and counts."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from stdnum import iban

EVALS = Path(__file__).parents[2] / "evals"
LANGUAGES = ("zh", "en")
FORMS = ("coref", "entities", "sensitive")
FILES = [(form, lang) for form in FORMS for lang in LANGUAGES]
SPLIT_SALT = "yinji-1321"
LEAST = {"coref": 160, "entities": 310, "sensitive": 320}
HAN = re.compile("[\u4e00-\u9fff]")

ENTITY_TYPES = {"person", "place", "organisation", "product", "code", "amount", "device", "project"}
SPAN_TYPES = {"id_card", "bank_card", "passport", "phone", "email", "address", "secret", "otp", "plate", "none"}
KEYS = {
    "coref": {"category", "context", "text", "pronoun", "pronoun_start", "antecedent", "antecedent_also"},
    "entities": {"text", "entities", "aliases"},
    "sensitive": {"text", "spans"},
}

Case = Mapping[str, Any]
"""A line of a case file; the test of its form is what gives it types."""


def cases(form: str, lang: str) -> list[Case]:
    lines = (EVALS / form / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


LATER = ("dev", "late", "fresh", "last", "paste", "said", "blind", "talk", "chat", "daily")
"""What was written after the halves had been told apart, by the third part of its id: to build with."""
HALVED = ("daily",)
"""Of these one half is `held` back."""


def is_later(identity: str) -> bool:
    """Whether a case was written after the halves had been told apart: "sensitive-zh-dev-12ab"."""
    return identity.split("-")[2] in LATER


def split(identity: str) -> str:
    """The half that an id falls into; what follows a dot, the copy of a sentence, does not count."""
    when = identity.split("-")[2]
    if is_later(identity) and when not in HALVED:
        return "dev"
    stem = identity.partition(".")[0]
    return ("dev", "held" if when in HALVED else "test")[
        hashlib.sha256(f"{SPLIT_SALT}:{stem}".encode()).digest()[0] % 2
    ]


def kinds(form: str, case: Case) -> Iterator[str]:
    """What a case is counted under in its folder's README."""
    if form == "coref":
        yield case["category"]
    for span in case.get("entities", case.get("spans", ())):
        if not span.get("optional"):
            yield span["type"]
    if form == "entities" and not case["entities"]:
        yield "no entity"
    if form == "entities" and case["aliases"]:
        yield "with aliases"
    if form == "sensitive" and all(span["type"] == "none" for span in case["spans"]):
        yield "nothing sensitive"


def table(form: str) -> dict[str, tuple[int, ...]]:
    """Counts a kind: zh dev, zh test, en dev, en test."""
    halves = ("dev", "test")
    columns = [(lang, half) for lang in LANGUAGES for half in halves]
    counted = {
        column: Counter(
            kind
            for case in cases(form, column[0])
            if case["split"] == column[1]
            for kind in ("cases", *kinds(form, case))
        )
        for column in columns
    }
    rows = {kind for count in counted.values() for kind in count}
    return {kind: tuple(counted[column][kind] for column in columns) for kind in sorted(rows)}


def words_of(span: Case, case: Case) -> str:
    return str(case["text"][span["start"] : span["end"]])


def spans_of(type_: str) -> list[tuple[str, str]]:
    """Language and words, full-width forms made half-width, of every labelled span of a type."""
    return [
        (lang, unicodedata.normalize("NFKC", words_of(span, case)))
        for lang in LANGUAGES
        for case in cases("sensitive", lang)
        for span in case["spans"]
        if span["type"] == type_ and not span.get("optional")
    ]


def passes_luhn(digits: str) -> bool:
    doubled = [int(sign) * (2 if i % 2 else 1) for i, sign in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def is_date(digits: str) -> bool:
    try:
        date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return False
    return True


def is_resident_number(text: str) -> bool:
    """GB 11643-1999: seventeen digits and a check sign, or the older fifteen digits without one."""
    if re.fullmatch(r"\d{15}", text):
        return is_date(f"19{text[6:12]}")
    if not re.fullmatch(r"\d{17}[\dX]", text) or not is_date(text[6:14]):
        return False
    weighted = sum(int(sign) * pow(2, 17 - i, 11) for i, sign in enumerate(text[:17]))
    return "10X98765432"[weighted % 11] == text[17]


def is_identity(text: str) -> bool:
    bare = re.sub(r"[ -]", "", text).upper()
    social = re.fullmatch(r"(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}", bare)
    insurance = re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]", bare)
    hong_kong = re.fullmatch(r"[A-Z]{1,2}\d{6}\([0-9A]\)", bare)
    canadian = re.fullmatch(r"\d{9}", bare) and passes_luhn(bare)
    return bool(social or insurance or hong_kong or canadian) or is_resident_number(bare)


@pytest.mark.parametrize(("form", "lang"), FILES)
@pytest.mark.req("E1")
def test_every_case_has_the_fields_of_its_form(form: str, lang: str) -> None:
    for case in cases(form, lang):
        assert set(case) == {"id", "lang", "split", *KEYS[form]}, case["id"]
        assert case["lang"] == lang, case["id"]
        assert case["text"] == case["text"].strip(), case["id"]


@pytest.mark.parametrize(("form", "lang"), FILES)
@pytest.mark.req("E1")
def test_ids_are_unique_and_no_case_stands_twice(form: str, lang: str) -> None:
    found = cases(form, lang)
    assert len({case["id"] for case in found}) == len(found)
    assert all(case["id"].startswith(f"{form}-{lang}-") for case in found)
    asked = Counter((case["text"], case.get("pronoun_start"), str(case.get("context"))) for case in found)
    assert [key for key, count in asked.items() if count > 1] == []


@pytest.mark.parametrize(("form", "lang"), FILES)
@pytest.mark.req("E1")
def test_half_of_the_cases_are_set_aside_by_their_ids(form: str, lang: str) -> None:
    found = cases(form, lang)
    assert [case["id"] for case in found if case["split"] != split(case["id"])] == []
    drawn = [case for case in found if not is_later(case["id"])]
    assert 0.45 <= sum(case["split"] == "test" for case in drawn) / len(drawn) <= 0.55


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.req("E1")
def test_both_languages_had_the_same_number_of_cases_when_they_were_halved(form: str) -> None:
    zh, en = (sum(not is_later(case["id"]) for case in cases(form, lang)) for lang in LANGUAGES)
    assert zh == en >= LEAST[form]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.req("E1")
def test_the_readme_counts_what_is_there(form: str) -> None:
    readme = (EVALS / form / "README.md").read_text(encoding="utf-8")
    rows = ["| " + " | ".join([kind, *map(str, counts)]) + " |" for kind, counts in table(form).items()]
    missing = [row for row in rows if row not in readme.splitlines()]
    assert not missing, "put these rows into the table:\n" + "\n".join(rows)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_a_pronoun_and_its_antecedent_stand_where_the_case_says(lang: str) -> None:
    for case in cases("coref", lang):
        context, start = case["context"], case["pronoun_start"]
        assert 1 <= len(context) <= 5, case["id"]
        assert all(turn.startswith(("user: ", "assistant: ")) for turn in context), case["id"]
        assert case["text"][start : start + len(case["pronoun"])] == case["pronoun"], case["id"]
        said = [*(turn.partition(": ")[2] for turn in context), case["text"]]
        answers = [case["antecedent"], *case["antecedent_also"]] if case["antecedent"] else case["antecedent_also"]
        assert all(any(answer in one for one in said) for answer in answers), case["id"]
        assert len(set(answers)) == len(answers), case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_a_quarter_of_the_pronouns_must_be_left_alone(lang: str) -> None:
    found = cases("coref", lang)
    alone = [case for case in found if case["antecedent"] is None]
    assert len(alone) >= len(found) / 4
    assert all(case["category"].startswith("null_") for case in alone)
    assert not any(case["antecedent_also"] for case in alone)
    assert not any(case["category"].startswith("null_") for case in found if case["antecedent"] is not None)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_entities_stand_at_their_offsets_and_do_not_overlap(lang: str) -> None:
    for case in cases("entities", lang):
        end = 0
        for entity in case["entities"]:
            assert set(entity) <= {"text", "start", "end", "type", "type_also", "also", "optional"}, case["id"]
            assert words_of(entity, case) == entity["text"] == entity["text"].strip(), case["id"]
            assert {entity["type"], *entity.get("type_also", ())} <= ENTITY_TYPES, case["id"]
            assert entity["start"] >= end, case["id"]
            end = entity["end"]
            for first, last in entity.get("also", ()):
                assert first < entity["end"] <= len(case["text"]), case["id"]
                assert entity["start"] < last <= len(case["text"]), case["id"]
                assert [first, last] != [entity["start"], entity["end"]], case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_a_fifth_of_the_sentences_hold_no_entity(lang: str) -> None:
    found = cases("entities", lang)
    assert sum(not case["entities"] for case in found) >= len(found) / 5


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_aliases_pair_two_names_that_are_labelled_in_the_sentence(lang: str) -> None:
    found = [case for case in cases("entities", lang) if case["aliases"]]
    assert len(found) >= 30
    for case in found:
        names = {entity["text"] for entity in case["entities"]}
        assert all(len(pair) == 2 and set(pair) <= names and pair[0] != pair[1] for pair in case["aliases"]), case["id"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_sensitive_spans_are_inside_the_text_in_order_and_of_a_known_type(lang: str) -> None:
    for case in cases("sensitive", lang):
        end = 0
        for span in case["spans"]:
            assert set(span) <= {"start", "end", "type", "optional"}, case["id"]
            assert span["type"] in SPAN_TYPES, case["id"]
            assert end <= span["start"] < span["end"] <= len(case["text"]), case["id"]
            assert words_of(span, case) == words_of(span, case).strip(), case["id"]
            end = span["end"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.req("E1")
def test_the_sentences_that_numbers_are_put_into_are_many(lang: str) -> None:
    sentences = {case["id"].partition(".")[0] for case in cases("sensitive", lang)}
    assert len(sentences) >= 150


@pytest.mark.req("E1")
def test_numbers_called_cards_and_identities_pass_their_checksums() -> None:
    accounts = [text for _, text in spans_of("bank_card")]
    cards = [re.sub(r"\D", "", text) for text in accounts if not text[:2].isalpha()]
    assert [card for card in cards if not (13 <= len(card) <= 19 and passes_luhn(card))] == []
    international = [re.sub(" ", "", text) for text in accounts if text[:2].isalpha()]
    assert [text for text in international if not iban.is_valid(text)] == []
    assert [text for _, text in spans_of("id_card") if not is_identity(text)] == []


@pytest.mark.req("E1")
def test_look_alikes_pass_no_checksum() -> None:
    handsets = re.compile(r"(35|86)\d{13}")
    bare = [re.sub(r"[ -]", "", text) for _, text in spans_of("none")]
    long = [text for text in bare if re.fullmatch(r"\d{13,19}", text) and not handsets.fullmatch(text)]
    assert [text for text in long if passes_luhn(text) or is_resident_number(text)] == []


@pytest.mark.req("E1")
def test_every_class_has_enough_spans_in_each_language() -> None:
    counted = Counter((lang, type_) for type_ in SPAN_TYPES for lang, _ in spans_of(type_))
    assert {key: count for key, count in counted.items() if count < 40} == {}
    assert len(counted) == len(SPAN_TYPES) * len(LANGUAGES)


@pytest.mark.req("E1")
def test_chinese_texts_are_chinese_and_some_numbers_are_full_width() -> None:
    """Pure code and JSON are in both files, so that most but not all texts hold Chinese."""
    texts = [case["text"] for case in cases("sensitive", "zh")]
    assert sum(bool(HAN.search(text)) for text in texts) >= 0.9 * len(texts)
    assert sum(bool(re.search("[\uff10-\uff19]{6}", text)) for text in texts) >= 5
