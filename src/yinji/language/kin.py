"""One word for each relative, however people call them."""

from __future__ import annotations

from yinji.language.packs import Pack


def with_one_kin(text: str, words: Pack) -> str:
    """The text with one word for each relative, however it was called."""
    kin = words.tables["same_kin"]
    return words.matcher("called_kin").sub(lambda found: kin.get(found[0].lower(), found[0]), text)
