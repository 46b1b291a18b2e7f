"""What a text is made of, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.language.packs import languages, pack
from yinji.language.text import AHEAD, content_key, detect, is_blank, lead_to, query_terms, sentences, terms, tidy

ANY_TEXT = st.text(alphabet=st.characters(), max_size=200)


@pytest.mark.req("F1")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我对花生过敏", "zh"),
        ("我用Kubernetes和PostgreSQL做部署", "zh"),
        ("帮我review一下这个PR的code style", "zh"),
        ("我决定用Postgres", "zh"),
        ("他來到了網易杭研大廈", "zh"),
        ("I am allergic to peanuts", "en"),
        ("My colleague 张伟 likes tea", "en"),
        ("Please translate 你好世界 into English", "en"),
        ("12345", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_that_of_most_of_the_text(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.req("K5", "F3", "F4", "F5")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("年糕", "阿宁住在苏州养了一只猫叫年糕"),
        ("苏州", "阿宁住在苏州养了一只猫叫年糕"),
        ("适者生存", "即适者生存也"),
        ("止损", "我把止损线设在八块"),
        ("C盘", "电脑C盘又满了"),
        ("API配置", "新的API配置写在wiki上"),
        ("itgc", "重跑gen-itgc后才生效"),
        ("gen-itgc", "重跑gen-itgc后才生效"),
        ("網易", "他在网易上班"),
        ("running", "She runs every morning"),
        ("5432", "The port is 5432."),
        ("ASR1603", "板子上是ASR1603芯片"),
        ("C++", "I write C++ at work"),
        ("a.b@example.com", "mail a.b@example.com about it"),
        ("1000", "it costs 1,000 dollars"),
        ("café", "We met at the CAFÉ"),
    ],
)
def test_every_word_of_a_text_is_found_by_itself(query: str, text: str) -> None:
    assert set(query_terms(query)) <= set(terms(text))


@pytest.mark.req("K5", "F24")
def test_codes_that_differ_in_one_digit_share_no_term() -> None:
    assert not set(terms("ASR1603")) & set(terms("ASR1605"))


@pytest.mark.req("K5")
@pytest.mark.parametrize(
    ("question", "gone", "kept"),
    [("我之前住在哪里？", {"我", "哪里", "在"}, {"住"}), ("Where did I live before?", {"where", "did", "i"}, {"live"})],
)
def test_a_question_is_searched_by_what_it_is_about(question: str, gone: set[str], kept: set[str]) -> None:
    found = set(query_terms(question))
    assert not found & gone
    assert kept <= found


@pytest.mark.req("K5")
@pytest.mark.parametrize("question", ["你是谁", "who are you"])
def test_a_question_of_stop_words_alone_keeps_them(question: str) -> None:
    assert query_terms(question) == terms(question)


@given(ANY_TEXT)
def test_terms_of_any_text_are_fit_for_an_index(text: str) -> None:
    for term in terms(text):
        assert term
        assert not any(char.isspace() or char == '"' for char in term)
        assert all(char.isalnum() or char in "+#._:@-" or char.isidentifier() or ord(char) > 127 for char in term)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我住杭州。你呢？", ["我住杭州。", "你呢？"]),
        ("价格是3.5元。不贵", ["价格是3.5元。", "不贵"]),
        ("他说“好的。”然后走了", ["他说“好的。”", "然后走了"]),
        ("等等……我想想", ["等等……", "我想想"]),
        ("- 第一条\n（二）第二条\n3、第三条", ["第一条", "第二条", "第三条"]),
        ("看 https://a.cn/x.html?y=1 吧", ["看 https://a.cn/x.html?y=1 吧"]),
        ("I live here. Do you?", ["I live here.", "Do you?"]),
        ("It costs 3.5 dollars. Cheap!", ["It costs 3.5 dollars.", "Cheap!"]),
        ("Dr. Smith met Mr. Jones, e.g. at noon. Then left.", ["Dr. Smith met Mr. Jones, e.g. at noon.", "Then left."]),
        ("J. R. Smith wrote it.", ["J. R. Smith wrote it."]),
        ("Wait... I know", ["Wait...", "I know"]),
        ("1. First\n2. Second", ["First", "Second"]),
        ("See https://a.com/x.html now.", ["See https://a.com/x.html now."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@given(ANY_TEXT)
def test_sentence_spans_of_any_text_are_in_order_and_inside_it(text: str) -> None:
    at = 0
    for start, end in sentences(text):
        assert at <= start < end <= len(text)
        at = end


@pytest.mark.req("W3", "F22")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜歡喝茶。", "我喜欢喝茶"),
        ("ＰＯＲＴ ５４３２", "port 5432"),
        ("I like tea!", "i like TEA"),
        ("在 南京", "在南京"),
    ],
)
def test_width_case_script_and_punctuation_make_no_other_content(one: str, other: str) -> None:
    assert content_key(one) == content_key(other)


@pytest.mark.req("F23")
@pytest.mark.parametrize(("one", "other"), [("端口5432", "端口5433"), ("I like tea", "I liked tea"), ("？", "！")])
def test_another_number_or_word_is_another_content(one: str, other: str) -> None:
    assert content_key(one) != content_key(other)


def test_controls_and_lone_surrogates_are_blanked_and_counted() -> None:
    text, count = tidy("a\x00b\ud800c\n\td\x7f")
    assert (text, count) == ("a b c\n\td ", 3)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=100))
def test_a_tidied_text_can_always_be_encoded_and_keeps_its_length(text: str) -> None:
    tidied, _ = tidy(text)
    tidied.encode("utf-8")
    assert len(tidied) == len(text)
    assert tidy(tidied) == (tidied, 0)


@pytest.mark.parametrize(("text", "blank"), [("", True), (" \n", True), ("😂！", True), ("嗯", False), ("7", False)])
def test_blank_is_what_says_nothing(text: str, blank: bool) -> None:
    assert is_blank(text) is blank


def test_languages_are_the_packs_in_the_folder() -> None:
    assert languages() == ("en", "zh")
    assert {pack(language).name for language in languages()} == {"English", "中文"}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_pattern_of_a_pack_compiles_and_never_matches_nothing_said(language: str) -> None:
    words = pack(language)
    for name in words.patterns:
        for matcher in words.matchers(name):
            assert matcher.groups >= 0
    for _, matchers in words.slot_matchers():
        assert not any(matcher.search("") for matcher in matchers)


def test_both_packs_know_the_same_things() -> None:
    """A stage asks for a pattern by name, whatever the language."""
    zh, en = pack("zh"), pack("en")
    only_zh = {
        "third_me",
        "opens_with_thing",
        "entity_product",
        "entity_project",
        "second_person",
        "begins_next",
        "being_subject",
        "our_formal",
        "our_home",
        "our_place",
    }
    only_en = {
        *(
            "time_of_past",
            "tells_enough",
            "subjectless",
            "short_is",
            "short_has",
            "predicative",
            "named_kin",
            "short_before",
            "done_by_then",
            "would_lead",
            "named_subject",
            "short_behind_place",
            "being_phrase",
            "one_of_several",
            "as_spoken",
            "one_alone",
        )
    }
    assert set(zh.patterns) - set(en.patterns) <= only_zh
    assert set(en.patterns) - set(zh.patterns) <= only_en
    assert {rule.attribute for rule in zh.slots} == {rule.attribute for rule in en.slots}


@pytest.mark.req("W4")
@pytest.mark.parametrize("sentence", ["我妹妹昨天从成都回来了。", "My sister came back from Leeds yesterday. "])
def test_of_what_a_long_text_says_ahead_the_last_sentences_are_looked_at(sentence: str) -> None:
    short, long = sentence * 3, sentence * 300
    assert lead_to(short, len(short)) == short
    near = lead_to(long, len(long))
    assert near == sentence * (len(near) // len(sentence))
    assert len(sentence) < len(near) <= AHEAD
