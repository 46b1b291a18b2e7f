"""The two diaries under `evals/diary` are what their README says: form, ids, splits, dates, counts, answers."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from yinji.evals.data import conversation_set
from yinji.evals.metrics import says_all

FOLDER = Path(__file__).parents[2] / "evals" / "diary"
ZONES = {"zh": "Asia/Shanghai", "en": "Europe/London"}
SPLIT_SALT = "yinji-diary-40465"
CATEGORIES = {
    "fact": 20,
    "preference": 12,
    "when": 15,
    "period": 10,
    "current": 16,
    "past": 10,
    "hop2": 12,
    "hop3": 6,
    "several": 10,
    "alias": 8,
    "exact": 10,
    "unanswerable": 12,
    "other": 9,
}
TURN = {"id", "owner", "session", "seq", "at", "user", "assistant"}
ALWAYS = {"id", "owner", "asked_at", "text", "category", "split"}
SOMETIMES = {"gold", "gold_groups", "answer", "answer_alt", "stale", "derived"}
HAN = re.compile("[\u4e00-\u9fff]")
LATIN = re.compile("[A-Za-z]")
LATIN_WORDS = re.compile(r"[A-Za-z']+(?:[\s,.]+[A-Za-z']+){3,}")
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Row = dict[str, Any]


class Diary:
    """One life: its turns, its questions, and the turns with nothing in them."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.turns = read(FOLDER / lang / "turns.jsonl")
        self.queries = read(FOLDER / lang / "queries.jsonl")
        self.idle: list[str] = json.loads((FOLDER / lang / "idle.json").read_text(encoding="utf-8"))
        self.by_id = {turn["id"]: turn for turn in self.turns}

    def gold_text(self, query: Row) -> str:
        turns = [self.by_id[one] for one in gold(query)]
        return "\n".join(f"{turn['user']}\n{turn['assistant'] or ''}" for turn in turns)


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def groups(query: Row) -> list[list[str]]:
    return query.get("gold_groups") or [[one] for one in query["gold"]]


def gold(query: Row) -> Iterator[str]:
    for group in groups(query):
        yield from group


def parts(wording: str | list[str]) -> list[str]:
    return [wording] if isinstance(wording, str) else wording


def days(query: Row) -> list[date]:
    """The day that is asked for, when the answer is one."""
    wordings = [query["answer"], *query.get("answer_alt", [])]
    return [date.fromisoformat(one) for one in wordings if isinstance(one, str) and ISO_DAY.fullmatch(one)]


def is_chinese(text: str) -> bool:
    """Whether more of it is Chinese characters than half its Latin letters."""
    return len(HAN.findall(text)) > len(LATIN.findall(text)) / 2


def split(identity: str) -> str:
    return ("dev", "test")[hashlib.sha256(f"{SPLIT_SALT}:{identity}".encode()).digest()[0] % 2]


@pytest.fixture(scope="module", params=ZONES)
def diary(request: pytest.FixtureRequest) -> Diary:
    return Diary(request.param)


@pytest.mark.req("E1")
def test_the_evaluation_reads_both_diaries(diary: Diary) -> None:
    found = conversation_set(FOLDER / diary.lang)
    assert (len(found.turns), len(found.questions)) == (400, 150)


@pytest.mark.req("E1")
def test_turns_have_their_fields_and_ids_in_order(diary: Diary) -> None:
    assert [turn["id"] for turn in diary.turns] == [f"{diary.lang}/{number:03d}" for number in range(1, 401)]
    assert all(set(turn) == TURN for turn in diary.turns)
    assert len({turn["owner"] for turn in diary.turns}) == 1
    for turn in diary.turns:
        assert turn["user"] == turn["user"].strip() != "", turn["id"]
        assert turn["assistant"] is None or turn["assistant"] == turn["assistant"].strip() != "", turn["id"]


@pytest.mark.req("E1")
def test_moments_follow_each_other_in_the_zone_over_nine_months(diary: Diary) -> None:
    zone = ZoneInfo(ZONES[diary.lang])
    moments = [datetime.fromisoformat(turn["at"]) for turn in diary.turns]
    assert all(earlier < later for earlier, later in pairwise(moments))
    assert all(moment.utcoffset() == moment.astimezone(zone).utcoffset() for moment in moments)
    months = Counter((moment.year, moment.month) for moment in moments)
    assert set(months) == {(2025, month) for month in range(1, 10)}
    assert min(months.values()) >= 30


@pytest.mark.req("E1")
def test_sessions_count_their_turns_and_are_named_by_their_day(diary: Diary) -> None:
    for earlier, later in pairwise(diary.turns):
        same = earlier["session"] == later["session"]
        assert later["seq"] == (earlier["seq"] + 1 if same else 0), later["id"]
    started = [turn for turn in diary.turns if turn["seq"] == 0]
    assert len({turn["session"] for turn in started}) == len(started)
    assert all(turn["session"].startswith(turn["at"][:10]) for turn in started)


@pytest.mark.req("E1", "W2")
def test_two_turns_in_five_hold_nothing_and_no_question_is_about_them(diary: Diary) -> None:
    assert len(set(diary.idle)) == len(diary.idle) >= 160
    assert set(diary.idle) <= set(diary.by_id)
    asked = {one for query in diary.queries for one in [*gold(query), *query.get("stale", [])]}
    assert asked.isdisjoint(diary.idle)


def test_each_life_has_turns_in_the_other_language(diary: Diary) -> None:
    if diary.lang == "zh":
        other = [turn["id"] for turn in diary.turns if LATIN_WORDS.search(turn["user"])]
    else:
        other = [turn["id"] for turn in diary.turns if HAN.search(turn["user"])]
    assert len(other) >= 8


@pytest.mark.req("E1")
def test_questions_have_their_fields(diary: Diary) -> None:
    owner = diary.turns[0]["owner"]
    for query in diary.queries:
        assert ALWAYS <= set(query) <= ALWAYS | SOMETIMES, query["id"]
        assert ("gold" in query) != ("gold_groups" in query), query["id"]
        assert query["owner"] == owner, query["id"]
        assert query.get("derived", True) is True, query["id"]


@pytest.mark.req("E1")
def test_ids_name_language_and_category_and_no_question_stands_twice(diary: Diary) -> None:
    seen: Counter[str] = Counter()
    for query in diary.queries:
        seen[query["category"]] += 1
        assert query["id"] == f"{diary.lang}/{query['category']}/{seen[query['category']]:02d}"
    assert len({query["text"] for query in diary.queries}) == len(diary.queries)


@pytest.mark.req("E1")
def test_each_category_has_its_number_of_questions(diary: Diary) -> None:
    assert Counter(query["category"] for query in diary.queries) == CATEGORIES


@pytest.mark.req("E1")
def test_half_of_the_questions_are_set_aside_by_their_ids(diary: Diary) -> None:
    assert [query["id"] for query in diary.queries if query["split"] != split(query["id"])] == []
    assert 65 <= sum(query["split"] == "test" for query in diary.queries) <= 85


@pytest.mark.req("E1")
def test_gold_and_stale_turns_exist_are_apart_and_came_before_the_question(diary: Diary) -> None:
    zone = ZoneInfo(ZONES[diary.lang])
    for query in diary.queries:
        asked_at = datetime.fromisoformat(query["asked_at"])
        assert asked_at.utcoffset() == asked_at.astimezone(zone).utcoffset(), query["id"]
        found, stale = list(gold(query)), query.get("stale", [])
        assert len(set(found)) == len(found), query["id"]
        assert set(found).isdisjoint(stale), query["id"]
        assert all(datetime.fromisoformat(diary.by_id[one]["at"]) < asked_at for one in [*found, *stale]), query["id"]


@pytest.mark.req("E1")
def test_only_what_was_never_said_has_no_gold_and_no_answer(diary: Diary) -> None:
    for query in diary.queries:
        never = query["category"] == "unanswerable"
        assert never == (not groups(query)) == ("answer" not in query), query["id"]
        assert not never or set(query) == ALWAYS | {"gold"}, query["id"]


@pytest.mark.req("E1")
def test_questions_over_several_turns_have_as_many_golds_as_hops(diary: Diary) -> None:
    least = {"hop2": 2, "hop3": 3, "several": 2}
    for query in diary.queries:
        assert len(groups(query)) >= least.get(query["category"], 0), query["id"]


@pytest.mark.req("E1")
def test_an_answer_stands_in_its_golds_unless_it_is_a_day_to_be_worked_out(diary: Diary) -> None:
    for query in diary.queries:
        if "answer" not in query:
            continue
        wordings = [parts(one) for one in query.get("answer_alt", [])]
        said = says_all(diary.gold_text(query), parts(query["answer"]), wordings)
        assert said != query.get("derived", False), query["id"]
        assert said or len(days(query)) == 1, query["id"]


@pytest.mark.req("E1")
def test_every_when_is_a_day_near_the_turns_that_tell_it(diary: Diary) -> None:
    for query in diary.queries:
        if query["category"] != "when":
            continue
        (day,) = days(query)
        told = [datetime.fromisoformat(diary.by_id[one]["at"]).date() for one in gold(query)]
        assert any(abs((day - one).days) <= 45 for one in told), query["id"]


@pytest.mark.req("E1", "W9")
def test_what_is_current_or_was_so_mostly_has_an_outdated_value_beside_it(diary: Diary) -> None:
    current = [query for query in diary.queries if query["category"] == "current"]
    assert sum("stale" in query for query in current) >= 14
    for query in current:
        newest = max(diary.by_id[one]["at"] for one in gold(query))
        assert all(diary.by_id[one]["at"] < newest for one in query.get("stale", [])), query["id"]


@pytest.mark.req("E1")
def test_other_language_means_that_question_and_golds_differ_in_it(diary: Diary) -> None:
    for query in diary.queries:
        if query["category"] == "other":
            told = {is_chinese(diary.by_id[one]["user"]) for one in gold(query)}
            assert told == {not is_chinese(query["text"])}, query["id"]


@pytest.mark.req("E1")
def test_the_readme_counts_what_is_there() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    both = [Diary(lang) for lang in ZONES]
    wanted = []
    for category in CATEGORIES:
        counts = [
            sum(query["category"] == category and query["split"] == half for query in one.queries)
            for one in both
            for half in ("dev", "test")
        ]
        wanted.append("| " + " | ".join([f"`{category}`", *map(str, counts)]) + " |")
    missing = [row for row in wanted if row not in readme]
    assert not missing, "put these rows into the table:\n" + "\n".join(wanted)
