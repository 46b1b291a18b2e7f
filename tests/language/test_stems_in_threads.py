"""Words are stemmed alike whatever other threads are stemming."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from yinji.language import text as language

ENDINGS = ("ational", "iveness", "ing", "edly", "ies", "fulness")


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.req("K5", "S2")
@pytest.mark.usefixtures("hasty")
def test_stems_do_not_depend_on_other_threads() -> None:
    words = [f"{chr(97 + number % 26)}{'stretwald'[number % 9 :]}{end}" for number in range(400) for end in ENDINGS]
    alone = [language._stem.__wrapped__(word) for word in words]
    with ThreadPoolExecutor(4) as threads:
        for made in threads.map(lambda _: [language._stem.__wrapped__(word) for word in words], range(4)):
            assert made == alone
