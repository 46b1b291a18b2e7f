"""Whatever is written, and however it is cut into pieces: nothing but the memory changes a byte."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interfaces.model import DONE, chunk
from yinji.interfaces.proxy.chat import read
from yinji.interfaces.proxy.hearing import Hearing, Streamed, Whole

TEXT = st.text(alphabet=st.sampled_from('ab"\\\n\u2028{}[]:,中文🙂é\x00 '), max_size=12)
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
VALUE = st.recursive(LEAF, lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXT, one, max_size=3), max_leaves=8)
PART = st.builds(lambda text: {"type": "text", "text": text}, TEXT) | st.just({"type": "image_url", "image_url": {}})
CONTENT = TEXT | st.lists(PART, max_size=3) | st.none()
ROLE = st.sampled_from(["system", "developer", "user", "assistant", "tool"])
MESSAGE = st.builds(
    lambda role, content, more: {**more, "role": role, "content": content},
    ROLE,
    CONTENT,
    VALUE.map(lambda one: {"x": one}),
)
BODY = st.builds(
    lambda messages, more, last: {**more, "messages": [*messages, {"role": "user", "content": last}]},
    st.lists(MESSAGE, max_size=5),
    st.dictionaries(TEXT.filter(lambda one: one != "messages"), VALUE, max_size=3),
    TEXT.filter(str.strip),
)
MARK, LATE = '<memory_context> "stable" 稳\n</memory_context>', '<memory_context> "late" 近\n</memory_context>'


@pytest.mark.req("S4")
@given(body=BODY, ascii_only=st.booleans(), indent=st.sampled_from([None, 1]))
def test_memory_is_added_to_any_request_and_nothing_else_of_it_changes(
    body: dict[str, Any], ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(body, ensure_ascii=ascii_only, indent=indent)
    chat = read(text.encode())
    assert chat is not None
    assert chat.with_memory("", "") == text.encode()
    written = chat.with_memory(MARK, LATE).decode()
    plain = written
    for one in (MARK, LATE):
        plain = plain.replace(json.dumps(one, ensure_ascii=False)[1:-1], "", 1)
    assert len(plain) - len(text) < 80
    told = json.loads(written)["messages"]
    assert told[-1]["content"] == f"{LATE}\n\n{chat.user}"
    (held,) = [
        at
        for at, one in enumerate(told)
        if MARK in json.dumps(one, ensure_ascii=False).replace('\\"', '"').replace("\\n", "\n")
    ]
    assert all(one["role"] in ("system", "developer") for one in told[: held + 1])
    added = len(told) - len(body["messages"])
    assert added in (0, 1)
    if added:
        assert told[held] == {"role": "system", "content": MARK}
        del told[held]
    kept = [one for at, one in enumerate(told[:-1]) if added or at != held]
    before = [one for at, one in enumerate(body["messages"][:-1]) if added or at != held]
    assert kept == before


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"a":' * 50_000),
        *(b'{"messages":[]}', b'{"messages":[1]}', b'{"messages":{}}', b'{"messages":[{"role":"user"}]}'),
        b'{"messages":[{"role":"user","content":" "}]}',
        b'{"messages":[{"role":"user","content":"a"}]} x',
        b'{"messages":[{"role":"system","content":"a"}]}',
    ],
)
def test_what_is_no_chat_of_a_user_is_not_read(body: bytes) -> None:
    assert read(body) is None


ANSWER = st.lists(TEXT, min_size=1, max_size=5)
ENDS = st.sampled_from([b"\n\n", b"\r\n\r\n", b"\r\r"])


def _fed(ear: Hearing, whole: bytes, cuts: list[int]) -> bytes:
    places = sorted({min(one, len(whole)) for one in cuts} | {0, len(whole)})
    out = b"".join(piece for begin, end in pairwise(places) for piece in ear.feed(whole[begin:end]))
    return out + b"".join(ear.end())


@pytest.mark.req("S4")
@given(words=ANSWER, end=ENDS, cuts=st.lists(st.integers(0, 2000), max_size=9), done=st.booleans())
def test_a_stream_passes_as_it_is_and_is_heard_whole_however_it_is_cut(
    words: list[str], end: bytes, cuts: list[int], done: bool
) -> None:
    events = [b": a comment\n\n", *(chunk({"content": one}) for one in words), chunk({}, "stop"), *([DONE] * done)]
    whole = b"".join(one[:-2] + end for one in events)
    ear = Streamed()
    assert _fed(ear, whole, cuts) == whole
    assert ear.said() == "".join(words)
    half = Streamed()
    broken = b"".join(one[:-2] + end for one in events[: 1 + len(words)])
    assert _fed(half, broken, cuts) == broken
    assert half.said() is None
    footed = Streamed('\n中 "x"')
    out = _fed(footed, whole, cuts)
    assert out.replace(chunk({"content": '\n中 "x"'}), b"") == whole
    assert footed.said() == "".join(words)


@pytest.mark.req("S4", "O11")
@given(words=ANSWER, cuts=st.lists(st.integers(0, 2000), max_size=5), finish=st.sampled_from(["stop", "tool_calls"]))
def test_an_answer_of_one_piece_passes_as_it_is_but_for_its_footer(
    words: list[str], cuts: list[int], finish: str
) -> None:
    choices = [
        {"index": at, "message": {"content": one, "x": [1.0]}, "finish_reason": finish} for at, one in enumerate(words)
    ]
    whole = json.dumps({"y": None, "choices": choices}, indent=1).encode()
    ear, footed = Whole(), Whole("!foot")
    assert _fed(ear, whole, cuts) == whole
    assert ear.said() == (words[0] if finish == "stop" else None)
    shown = json.loads(_fed(footed, whole, cuts))["choices"]
    told = [one["message"]["content"] for one in shown]
    assert told == [one + ("!foot" if one and finish == "stop" else "") for one in words]
    broken = Whole("!foot")
    assert _fed(broken, whole[:-3], cuts) == whole[:-3]
    assert broken.said() is None
