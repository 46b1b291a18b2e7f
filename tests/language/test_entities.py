"""Who and what is named."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yinji.evals import run
from yinji.language.entities import aliases, entity_key, find_entities
from yinji.language.entities.lists import lists

EVALS = Path(__file__).parents[2] / "evals"


@pytest.mark.req("W5", "F3")
@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("张伟下周去北京见李总", "zh", {("张伟", "person"), ("北京", "place"), ("李总", "person")}),
        ("阿宁住在苏州", "zh", {("阿宁", "person"), ("苏州", "place")}),
        ("小李在浙江大学读书", "zh", {("小李", "person"), ("浙江大学", "organisation")}),
        ("换成了ASR1603，花了300元", "zh", {("ASR1603", "product"), ("300元", "amount")}),
        ("在读《三体》", "zh", {("《三体》", "product")}),
        ("Sarah moved to Berlin", "en", {("Sarah", "person"), ("Berlin", "place")}),
        ("We met Dr. Smith at Oslo University", "en", {("Dr. Smith", "person"), ("Oslo University", "organisation")}),
        ("the board has an ASR1605, $300", "en", {("ASR1605", "product"), ("$300", "amount")}),
    ],
)
def test_names_are_found_with_their_type(text: str, language: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= {(one.name, one.type) for one in find_entities(text, language=language)}


@pytest.mark.req("W5", "F3")
@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("我在雨花区租了房", "zh", [("雨花区", "place")]),
        ("奶奶家在青石镇", "zh", [("青石镇", "place")]),
        ("三江口村今年通了自来水", "zh", [("三江口村", "place")]),
        ("去人民公园下棋", "zh", [("人民公园", "place")]),
        ("保安老吴帮我收了快递", "zh", [("老吴", "person")]),
        ("水管工老魏明天上门", "zh", [("老魏", "person")]),
        ("大刘让我帮他看店", "zh", [("大刘", "person")]),
        ("芳姐做的菜特别香", "zh", [("芳姐", "person")]),
        ("我妹小雅下个月结婚", "zh", [("小雅", "person")]),
        ("楼下全家的饭团打折", "zh", [("全家", "organisation")]),
        ("我们全家都不吃香菜", "zh", []),
        ("刚把朗逸卖了", "zh", [("朗逸", "product")]),
        ("小区的电梯坏了", "zh", []),
        ("traded in my old Octavia", "en", [("Octavia", "product")]),
        ("the Niro needs new tyres", "en", [("Niro", "product")]),
        ("our boat, the Kittiwake, is in for repairs", "en", [("Kittiwake", "product")]),
        ("test drove a Kia Niro", "en", [("Kia Niro", "product")]),
        ("my niece Octavia turned six", "en", [("Octavia", "person")]),
        ("the Hendersons are away", "en", [("Hendersons", "person")]),
        ("Mark's car broke down", "en", [("Mark", "person")]),
        ("Mark my words", "en", []),
        ("staffing Larkspur is a nightmare", "en", [("Larkspur", "project")]),
    ],
)
def test_what_is_called_like_something_else_is_told_by_what_stands_around_it(
    text: str, language: str, expected: list[tuple[str, str]]
) -> None:
    assert [(one.name, one.type) for one in find_entities(text, language=language)] == expected


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("今天天气不错", "zh"),
        ("谢谢老师", "zh"),
        ("Drawing is fun", "en"),
        ("Monday was fine", "en"),
        ("I think so", "en"),
    ],
)
def test_ordinary_words_are_no_names(text: str, language: str) -> None:
    assert find_entities(text, language=language) == ()


@given(st.text(max_size=120), st.sampled_from(["zh", "en"]))
def test_the_span_of_an_entity_is_its_name(text: str, language: str) -> None:
    for one in find_entities(text, language=language):
        assert text[one.start : one.end] == one.name


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("诸葛青把钥匙落在工位了", "zh", [("诸葛青", "person")]),
        ("伊丽莎白下个月来北京", "zh", [("伊丽莎白", "person"), ("北京", "place")]),
        ("请佐藤先生确认报价", "zh", [("佐藤先生", "person")]),
        ("房东吴阿姨说周末来", "zh", [("吴阿姨", "person")]),
        ("跟深圳市腾飞科技有限公司签约", "zh", [("深圳市腾飞科技有限公司", "organisation")]),
        ("索尼WH-1000XM5降噪真强", "zh", [("索尼WH-1000XM5", "product")]),
        ("端口改成了9090", "zh", [("9090", "code")]),
        ("买了三斤半排骨", "zh", [("三斤半", "amount")]),
        ("把客厅空调关了", "zh", [("客厅空调", "device")]),
        ("曙光计划二期启动", "zh", [("曙光计划二期", "project")]),
        ("my neighbor Zbigniew plays cello", "en", [("Zbigniew", "person")]),
        ("tell Mrs. Kowalczyk the bus is late", "en", [("Mrs. Kowalczyk", "person")]),
        ("Charlotte moved to Charlotte", "en", [("Charlotte", "person"), ("Charlotte", "place")]),
        ("I work at Brightpath Analytics", "en", [("Brightpath Analytics", "organisation")]),
        ("Sony WH-1000XM5 on sale", "en", [("Sony WH-1000XM5", "product")]),
        ("listening on port 3000", "en", [("3000", "code")]),
        ("paid forty bucks for parking", "en", [("forty bucks", "amount")]),
        ("turn off the bedroom lamp", "en", [("bedroom lamp", "device")]),
        ("the Redwood project is over budget", "en", [("Redwood project", "project")]),
        ("ticket OPS-3321 is blocked", "en", [("OPS-3321", "code")]),
    ],
)
def test_a_name_is_found_whole_and_nothing_else(text: str, language: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.name, one.type) for one in find_entities(text, language=language)] == expected


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("今天真高兴", "zh"),
        ("何必这么认真", "zh"),
        ("任何时候都可以", "zh"),
        ("小心地滑", "zh"),
        ("谢谢老师", "zh"),
        ("Hope you feel better", "en"),
        ("Mark my words, it will fail", "en"),
        ("It may rain in the afternoon", "en"),
        ("Grace period ends soon", "en"),
        ("Please water the plants", "en"),
    ],
)
def test_a_word_that_is_also_a_name_is_none_where_nothing_speaks_for_it(text: str, language: str) -> None:
    assert find_entities(text, language=language) == ()


@pytest.mark.req("F24")
@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("JIRA-8821卡住了，JIRA-8821谁在跟，jira-8821", "zh", {"JIRA-8821"}),
        ("固件是ASR1603的，不是ASR1605", "zh", {"ASR1603", "ASR1605"}),
        ("张伟和张伟明不是一个人", "zh", {"张伟", "张伟明"}),
        ("DGI-1 blocks DGI-1, see DGI-1", "en", {"DGI-1"}),
        ("the board has an ASR1603, not an ASR1605", "en", {"ASR1603", "ASR1605"}),
        ("Jon isn't Jonathan", "en", {"Jon", "Jonathan"}),
    ],
)
def test_one_name_said_often_has_one_key_and_two_that_differ_have_two(
    text: str, language: str, names: set[str]
) -> None:
    found = {entity_key(one.name) for one in find_entities(text, language=language)}
    assert found == {entity_key(name) for name in names}
    assert entity_key("DGIA") == entity_key("dgia") != entity_key("DGIB")


@pytest.mark.req("W5", "F24")
@pytest.mark.parametrize(
    ("text", "language", "pairs"),
    [
        ("张伟，我们都叫他老张", "zh", [("张伟", "老张")]),
        ("周建军，也就是周工，负责硬件", "zh", [("周建军", "周工")]),
        ("天枢项目（以下简称天枢）六月交付", "zh", [("天枢项目", "天枢")]),
        ("张伟和老张不是一个人", "zh", []),
        ("凯子是周凯文的外号", "zh", [("周凯文", "凯子")]),
        ("这是章雨桐的昵称", "zh", []),
        ("his real name is Wilhelm but he goes by Will", "en", [("Wilhelm", "Will")]),
        ("Robert, everyone calls him Bob", "en", [("Robert", "Bob")]),
        ("Kubernetes is usually written K8s", "en", [("Kubernetes", "K8s")]),
        ("Project Kestrel (hereafter Kestrel) delivers in June", "en", [("Project Kestrel", "Kestrel")]),
        ("Liz isn't Elizabeth", "en", []),
    ],
)
def test_two_names_are_linked_when_the_text_says_that_they_are_one(
    text: str, language: str, pairs: list[tuple[str, str]]
) -> None:
    assert list(aliases(text, language=language)) == pairs


@pytest.mark.req("W5")
@pytest.mark.parametrize(("text", "name"), [("張偉下週去北京見李總", "張偉"), ("歐陽修文負責對接", "歐陽修文")])
def test_names_in_traditional_characters_stay_as_they_are_written(text: str, name: str) -> None:
    assert name in [one.name for one in find_entities(text, language="zh")]


@pytest.mark.req("W5", "E1")
@pytest.mark.parametrize(("language", "least"), [("zh", 0.95), ("en", 0.95)])
def test_the_development_half_of_the_labelled_sentences_is_read(language: str, least: float) -> None:
    report = run("entities", EVALS / "entities" / f"{language}.jsonl", date=datetime(2026, 3, 1, tzinfo=UTC))
    half = report.by["split"][f"{language} dev"]
    assert half.overall["f1"] >= least > half.floor["f1"]


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language", "project"),
    [
        ("Kestrel立项会定在周三", "zh", "Kestrel"),
        ("灯塔二期的排期还没定", "zh", "灯塔"),
        ("凌霄项目组在招人", "zh", "凌霄"),
        ("那个叫蒲公英的项目延期了", "zh", "蒲公英"),
        ("我退出了曙光，下周交接", "zh", "曙光"),
        ("老板宣布昆仑工程启动", "zh", "昆仑工程"),
        ("We're shipping Bluebird on Tuesday", "en", "Bluebird"),
        ("Juniper goes live next week", "en", "Juniper"),
        ("the client signed off on Evergreen", "en", "Evergreen"),
        ("Tidepool's deadline moved again", "en", "Tidepool"),
        ("I scrapped Quicksand, my side project", "en", "Quicksand"),
        ("was moved from Osprey to Falcon", "en", "Osprey"),
        ("was moved from Osprey to Falcon", "en", "Falcon"),
        ("the retro for Tidepool is on Thursday", "en", "Tidepool"),
        ("Homecoming still has no budget", "en", "Homecoming"),
        ("Smart Campus Initiative passed acceptance", "en", "Smart Campus Initiative"),
        ("蓝海行动的复盘会改到周四", "zh", "蓝海行动"),
        ("星火被叫停了，大家都挺难受", "zh", "星火"),
        ("QA found three bugs in Bramble before launch", "en", "Bramble"),
    ],
)
def test_a_project_is_told_by_what_is_said_of_it(text: str, language: str, project: str) -> None:
    assert (project, "project") in {(one.name, one.type) for one in find_entities(text, language=language)}


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("新功能下周上线", "zh"),
        ("我负责前端，他负责后端", "zh"),
        ("我家小区二期交房了", "zh"),
        ("工程师的计划是先测试", "zh"),
        ("we ship on Tuesdays", "en"),
        ("Launch day was fun", "en"),
        ("he built a shed", "en"),
        ("Maria missed the deadline", "en"),
    ],
)
def test_what_is_done_with_anything_makes_no_project(text: str, language: str) -> None:
    assert "project" not in {one.type for one in find_entities(text, language=language)}


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language", "pair"),
    [
        ("张慧敏，咱们都喊敏敏", "zh", ("张慧敏", "敏敏")),
        ("吴桐在公司的花名是青石", "zh", ("吴桐", "青石")),
        ("他网名风清扬，本名林海峰", "zh", ("风清扬", "林海峰")),
        ("Jonathan, or Jono for short, moved out", "en", ("Jonathan", "Jono")),
        ("Samantha (Sam to her friends) is vegan", "en", ("Samantha", "Sam")),
        ("Project Thunderbird, which we just call TB, is late", "en", ("Project Thunderbird", "TB")),
        ("Abdulrahman prefers Abdul", "en", ("Abdulrahman", "Abdul")),
    ],
)
def test_two_names_that_are_said_to_be_one(text: str, language: str, pair: tuple[str, str]) -> None:
    assert pair in aliases(text, language=language)


HINTED = [
    (language, name, pattern)
    for language in ("zh", "en")
    for name, listed in lists(language).patterns.items()
    if f"{name}_hint" in lists(language).patterns
    for pattern in listed
]


@pytest.mark.parametrize(("language", "name", "pattern"), HINTED)
@settings(max_examples=20, suppress_health_check=list(HealthCheck), derandomize=True, deadline=None)
@given(data=st.data())
def test_whatever_a_pattern_finds_has_in_it_what_the_pattern_is_not_looked_at_without(
    language: str, name: str, pattern: str, data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(pattern))
    found = re.search(pattern, text)

    assert found is not None
    assert lists(language).matchers_for(name, text[found.start() :])
