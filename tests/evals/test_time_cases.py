"""The labelled time cases: made by their generator, in the published form, agreeing with what hand work gives."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

FOLDER = Path(__file__).parents[2] / "evals" / "time"
LANGUAGES = ("zh", "en")
GRAINS = {"second", "minute", "hour", "part_of_day", "day", "week", "month", "quarter", "year"}
FIELDS = (
    *("id", "lang", "at", "tz", "text", "phrase", "start", "end", "grain", "recurrence", "alternatives", "match"),
    *("reading", "setting", "group", "split"),
)
RULE = re.compile(
    r"FREQ=(HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)(;INTERVAL=\d+)?(;BYMONTH=[\d,]+)?(;BYMONTHDAY=-?\d+)?"
    r"(;BYDAY=(-?\d)?(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*)?(;BYSETPOS=-?\d)?(;BYHOUR=\d+;BYMINUTE=\d+)?"
)

Case = dict[str, Any]


def read(lang: str) -> list[Case]:
    return [json.loads(line) for line in (FOLDER / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module", params=LANGUAGES)
def cases(request: pytest.FixtureRequest) -> list[Case]:
    return read(request.param)


def is_in_zone(text: str, zone: str) -> bool:
    moment = datetime.fromisoformat(text)
    return moment.utcoffset() == moment.astimezone(ZoneInfo(zone)).utcoffset()


@pytest.mark.req("E1")
def test_the_generator_writes_exactly_the_files_that_are_kept() -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "make.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_generator_knows_nothing_of_the_parser() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    assert not re.search(r"^\s*(from|import) (yinji|dateutil|lunardate|cnlunar)", code, re.MULTILINE)


@pytest.mark.req("E1")
def test_every_case_has_the_published_form(cases: list[Case]) -> None:
    for case in cases:
        assert tuple(case)[: len(FIELDS)] == FIELDS
        assert set(case) <= {*FIELDS, "recurrence_also"}
        assert case["grain"] in GRAINS
        assert case["match"] in {"exact", "start", "overlap", "recurrence"}
        assert case["reading"] in {"past", "future", None}
        assert case["split"] in {"dev", "test"}
        assert case["text"].count(case["phrase"]) == 1


@pytest.mark.req("E1")
def test_every_interval_is_half_open_forward_and_in_the_zone_of_the_speaker(cases: list[Case]) -> None:
    for case in cases:
        for one in (case, *case["alternatives"]):
            assert datetime.fromisoformat(one["start"]) < datetime.fromisoformat(one["end"]), case
            assert is_in_zone(one["start"], case["tz"]), case
            assert is_in_zone(one["end"], case["tz"]), case


def test_what_repeats_is_an_icalendar_rule_and_nothing_else_is(cases: list[Case]) -> None:
    for case in cases:
        assert (case["match"] == "recurrence") == (case["recurrence"] is not None)
        for rule in (case["recurrence"], *case.get("recurrence_also", ())):
            assert rule is None or RULE.fullmatch(rule), case


def test_the_ids_are_unique_in_both_languages_together() -> None:
    ids = [case["id"] for lang in LANGUAGES for case in read(lang)]
    assert len(ids) == len(set(ids))


def test_a_phrase_is_for_developing_or_for_testing_but_never_both(cases: list[Case]) -> None:
    splits = defaultdict(set)
    for case in cases:
        splits[case["phrase"].casefold()].add(case["split"])
    assert all(len(found) == 1 for found in splits.values())
    share = sum(found == {"dev"} for found in splits.values()) / len(splits)
    assert 0.42 < share < 0.58


@pytest.mark.req("W7")
def test_at_least_seventy_phrases_are_asked_on_all_seven_weekdays(cases: list[Case]) -> None:
    weekdays = defaultdict(set)
    for case in cases:
        if case["setting"] == "week":
            weekdays[case["text"]].add(datetime.fromisoformat(case["at"]).weekday())
    assert len(weekdays) >= 70
    assert all(found == set(range(7)) for found in weekdays.values())


def test_at_least_a_hundred_and_fifty_whole_sentences_are_asked(cases: list[Case]) -> None:
    assert len({case["text"] for case in cases if case["setting"] == "sentence"}) >= 150


BY_HAND = (
    ("上上周五", "2026-05-17T23:50:00+08:00", "2026-05-01T00:00:00+08:00", "2026-05-02T00:00:00+08:00"),
    ("下周五", "2026-05-17T23:50:00+08:00", "2026-05-22T00:00:00+08:00", "2026-05-23T00:00:00+08:00"),
    ("上周末", "2026-05-17T23:50:00+08:00", "2026-05-09T00:00:00+08:00", "2026-05-11T00:00:00+08:00"),
    ("今晚十二点", "2026-05-14T00:30:00+08:00", "2026-05-15T00:00:00+08:00", "2026-05-15T01:00:00+08:00"),
    ("昨天半夜", "2026-05-14T00:30:00+08:00", "2026-05-14T00:00:00+08:00", "2026-05-14T05:00:00+08:00"),
    ("下下个月初", "2026-11-25T21:30:00+08:00", "2027-01-01T00:00:00+08:00", "2027-01-11T00:00:00+08:00"),
    ("大年初三", "2026-05-12T10:00:00+08:00", "2026-02-19T00:00:00+08:00", "2026-02-20T00:00:00+08:00"),
    ("去年国庆", "2026-05-12T10:00:00+08:00", "2025-10-01T00:00:00+08:00", "2025-10-08T00:00:00+08:00"),
    ("端午节要回趟老家。", "2026-06-10T19:00:00+08:00", "2026-06-19T00:00:00+08:00", "2026-06-20T00:00:00+08:00"),
    ("半年前", "2026-08-31T09:00:00+08:00", "2026-02-28T00:00:00+08:00", "2026-03-01T00:00:00+08:00"),
    ("五个小时后", "2026-03-28T22:00:00+01:00", "2026-03-29T04:00:00+02:00", "2026-03-29T04:01:00+02:00"),
    (
        "last week I went to Paris",
        "2023-05-24T11:00:00+02:00",
        "2023-05-15T00:00:00+02:00",
        "2023-05-22T00:00:00+02:00",
    ),
    ("last Friday", "2026-05-17T23:50:00+02:00", "2026-05-08T00:00:00+02:00", "2026-05-09T00:00:00+02:00"),
    ("next Friday", "2026-05-11T12:00:00-04:00", "2026-05-22T00:00:00-04:00", "2026-05-23T00:00:00-04:00"),
    (
        "the weekend before last",
        *("2026-05-17T23:50:00+02:00", "2026-05-02T00:00:00+02:00", "2026-05-04T00:00:00+02:00"),
    ),
    ("half seven", "2026-05-11T12:00:00-04:00", "2026-05-11T07:30:00-04:00", "2026-05-11T07:31:00-04:00"),
    ("midnight tonight", "2026-05-13T23:50:00-04:00", "2026-05-14T00:00:00-04:00", "2026-05-14T01:00:00-04:00"),
    ("in a fortnight", "2026-05-12T08:20:00+02:00", "2026-05-26T00:00:00+02:00", "2026-05-27T00:00:00+02:00"),
    ("Thanksgiving", "2026-05-12T10:00:00+02:00", "2026-11-26T00:00:00+01:00", "2026-11-27T00:00:00+01:00"),
    ("by Friday", "2026-05-13T23:50:00-04:00", "2026-05-13T23:50:00-04:00", "2026-05-16T00:00:00-04:00"),
    ("tomorrow", "2026-03-07T20:00:00-05:00", "2026-03-08T00:00:00-05:00", "2026-03-09T00:00:00-04:00"),
)


@pytest.mark.req("W7", "F8", "F11")
@pytest.mark.parametrize(("text", "at", "start", "end"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_cases_agree_with_what_was_worked_out_by_hand(text: str, at: str, start: str, end: str) -> None:
    found = [case for lang in LANGUAGES for case in read(lang) if case["text"] == text and case["at"] == at]
    assert [(case["start"], case["end"]) for case in found] == [(start, end)]


@pytest.mark.req("F11")
@pytest.mark.parametrize(
    "phrases",
    [
        ("上上周末", "上周末", "这周末", "下周末"),
        ("上上周", "上周", "这周", "下周", "下下周"),
        ("大前天", "前天", "昨天", "今天", "明天", "后天", "大后天"),
        ("今天凌晨", "今早", "今天上午", "今天中午", "今天下午", "今天傍晚", "今晚", "今天半夜", "昨天半夜"),
        ("大前年", "前年", "去年", "今年", "明年", "后年", "大后年"),
        ("the weekend before last", "last weekend", "this weekend", "next weekend", "the weekend after next"),
        ("the week before last", "last week", "this week", "next week", "the week after next"),
        ("the year before last", "last year", "this year", "next year", "the year after next"),
    ],
    ids=lambda phrases: phrases[0],
)
def test_phrases_with_different_meanings_never_share_an_interval(phrases: tuple[str, ...]) -> None:
    meant = defaultdict(list)
    for case in (case for lang in LANGUAGES for case in read(lang)):
        if case["text"] in phrases and case["setting"] != "edge":
            meant[case["at"]].append((case["start"], case["end"]))
    for at, found in meant.items():
        assert len(set(found)) == len(phrases), at


def test_days_are_as_long_as_the_clocks_make_them() -> None:
    lengths = {
        datetime.fromisoformat(case["end"]) - datetime.fromisoformat(case["start"])
        for case in read("en")
        if case["group"] == "edge-dst" and case["phrase"] in {"today", "tomorrow"}
    }
    assert lengths == {timedelta(hours=hours) for hours in (23, 25)}
