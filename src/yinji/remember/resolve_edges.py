"""Where the words of an antecedent begin: what the clause around them left goes, and whose relative it is comes."""

from __future__ import annotations

from collections.abc import Iterator

from yinji.remember.resolve_features import Scene
from yinji.remember.resolve_tokens import tokens

COUNTING = ("q", "count")
"""Classes of the words that things are counted by."""


def whole(text: str, scene: Scene) -> str:
    """The phrase as it names somebody or something: "寄居蟹" for "只寄居蟹", "my dad" for "dad" where that was said."""
    for message in range(scene.now, -1, -1):
        at = scene.originals[message].rfind(text)
        if at >= 0:
            start = max(_beginnings(at, at + len(text), message, scene), default=at)
            named = scene.originals[message][start : at + len(text)]
            return f"{_owner(named, scene.originals[message][:start], scene)}{named}"
    return text


def _beginnings(start: int, end: int, message: int, scene: Scene) -> Iterator[int]:
    """Where the phrase may begin, one place after the other, as long as it opens with what is no part of a name."""
    for one in tokens(scene.messages[message], scene.words.language):
        if one.start == start < end:
            yield start
            counts = one.look in COUNTING and scene.words.has("classifiers", one.text)
            if counts or scene.words.has("of_clauses", one.text):
                start = one.end


def _owner(named: str, before: str, scene: Scene) -> str:
    """The user as the owner of a relative, as that stands right before."""
    blank = " " if scene.words.language == "en" else ""
    relative = named.lower().split(" ")[0] if blank else named  # "sister Ann"
    if not any(scene.words.has(name, relative) for name in ("female", "male")):
        return ""
    owners = (f"{one}{blank}" for one in scene.words.words["owner_of_kin"])
    return max((before[-len(one) :] for one in owners if _ends(before, one, blank)), key=len, default="")


def _ends(before: str, owner: str, blank: str) -> bool:
    """Whether the words before end in the owner, as a word by itself where words are apart."""
    return f"{blank}{before.lower()}".endswith(f"{blank}{owner}")
