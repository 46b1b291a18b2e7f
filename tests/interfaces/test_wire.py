"""Values as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from yinji import Interval, Kind
from yinji.interfaces.wire import to_json


@pytest.mark.req("P2")
def test_every_value_that_flows_out_has_a_form_in_json() -> None:
    at = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
    value = {
        "kinds": frozenset({Kind.FACT, Kind.EVENT}),
        "when": Interval(start=at, end=None),
        "path": Path("a/b"),
        "list": (1, 2.5, True, None, "中文"),
        Kind.FACT: 1,
    }
    made = to_json(value)
    assert json.loads(json.dumps(made)) == {
        "kinds": ["event", "fact"],
        "when": {"start": "2026-03-01T09:00:00+00:00", "end": None, "grain": "day", "recurrence": None, "text": ""},
        "path": "a/b",
        "list": [1, 2.5, True, None, "中文"],
        "fact": 1,
    }


@dataclass
class Odd:
    thing: object


def test_what_has_no_form_in_json_is_an_error_not_a_guess() -> None:
    with pytest.raises(TypeError, match="object has no form"):
        to_json(Odd(thing=object()))
