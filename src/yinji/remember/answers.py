"""What a short answer says together with the assistant's question: "Where do you live?" "Cork"."""

from __future__ import annotations

import re

from yinji.language.packs import Pack, pack
from yinji.language.text import detect, sentences

LONGEST = {"zh": 16, "en": 8}
"""Characters or words of an answer that is put into its question."""
_EDGES = " ,.!，。！~～"
_QUESTION = "?\uff1f"


def answered(question: str, answer: str) -> str | None:
    """The answer as a statement in the first person; None when it is no plain answer to a plain question.

    ``question``: what the assistant said; only its last sentence counts, and only when it asks.
    """
    asked = _asked(question)
    if asked is None:
        return None
    language = detect(asked)
    words, said = pack(language), answer.strip(_EDGES)
    if said and _length(said, language) <= 2 * LONGEST[language] and (told := _of_other(asked, said, words)):
        return told
    if not said or _length(said, language) > LONGEST[language] or words.matcher("answer_whole").search(said):
        return None
    if words.matcher("answer_offer").search(asked):
        return None
    return (
        _to_other(asked, said, words)
        or _to_yes_or_no(asked, said, words)
        or _to_what(asked, said, words)
        or _in_place(asked, said, words)
    )


def _asked(question: str) -> str | None:
    spans = sentences(question)
    if not spans:
        return None
    last = question[spans[-1][0] : spans[-1][1]].strip()
    return last.rstrip(_QUESTION) if last.endswith(tuple(_QUESTION)) else None


def _length(text: str, language: str) -> int:
    return len(text) if language == "zh" else len(text.split())


def _of_other(asked: str, said: str, words: Pack) -> str | None:
    """ "She hates flying" as an answer to what was asked of the user's wife."""
    question, given = words.matcher("asked_of").match(asked), words.matcher("answer_of").match(said)
    if question is None or given is None:
        return None
    verb = words.tables["answer"]["being"] if given.groupdict().get("s") else ""
    rest = f"{verb} {said[given.end() :].strip()}".strip()
    return words.tables["answer"]["of_other"].format(who=question["who"], said=rest)


def _to_other(asked: str, said: str, words: Pack) -> str | None:
    """ "No, to mango" put into "are you allergic to shellfish"."""
    given, question = words.matcher("answer_not_but").match(said), words.matcher("asked_with").search(asked)
    if given is None or question is None or given["prep"] != question["prep"]:
        return None
    groups = {name: value or "" for name, value in question.groupdict().items()}
    groups["ask"] = "am " if groups.get("ask", "").lower() == "are you" else ""
    return words.tables["answer"]["not_but"].format(new=given["new"], **({"head": ""} | groups))


def _to_yes_or_no(asked: str, said: str, words: Pack) -> str | None:
    match = next((found for one in words.matchers("ask_whether") if (found := one.search(asked))), None)
    if match is None:
        return None
    for name in ("never", "no", "yes"):
        opening = words.matcher(f"answer_{name}").match(said)
        if opening is None:
            continue
        rest = said[opening.end() :].strip(_EDGES)
        if rest and name == "yes" and words.matcher("ask_having").search(asked):
            return words.tables["answer"]["having"].format(rest=rest)
        whether, joint = _whether(match, name, words), words.tables["answer"]["joint"]
        if rest and whether and joint:
            return f"{whether}{joint}{rest}"
        return None if rest else whether
    return _how_often(match, said, words)


def _how_often(match: re.Match[str], said: str, words: Pack) -> str | None:
    """What is done, with how often it is: "two cups a day"."""
    done = match.groupdict().get("do")
    for name in ("often", "seldom"):
        form = words.tables["answer"].get(f"do {name}")
        if done and form and words.matcher(f"answer_{name}").match(said):
            return form.format(it=done.strip(), said=said)
    return None


def _whether(match: re.Match[str], name: str, words: Pack) -> str | None:
    for form, told in words.tables["answer"].items():
        given = match.groupdict().get(form.partition(" ")[0])
        if given and form.endswith(f" {name}"):
            return told.format(it=given.strip())
    return None


def _to_what(asked: str, said: str, words: Pack) -> str | None:
    if any(words.matcher(f"answer_{name}").fullmatch(said) for name in ("never", "no", "yes")):
        return None
    if opening := words.matcher("answer_opening").match(said):
        said = said[opening.end() :]
    first = said.split(maxsplit=1)[0].lower()
    for pattern, told in words.tables["ask_what"].items():
        match = re.search(pattern, asked, re.IGNORECASE)
        if match is not None and not match.group(0).isspace():
            groups = {name: value or "" for name, value in match.groupdict().items()}
            if words.language == "en" and words.has("verbs", first):
                return f"I {said}"
            if groups.get("who") and words.matcher("answer_tells").match(said):
                return f"My {groups['who']} {said}"
            return told.format(answer=said, **groups)
    return None


def _in_place(asked: str, said: str, words: Pack) -> str | None:
    """The question with the answer where it asks, in a language that asks in the place of the answer."""
    if words.matcher("ask_of_task").search(asked) or words.matcher("answer_of_task").search(said):
        return None
    match = words.matcher("ask_in_place").search(asked)
    if match is None:
        return None
    before, after = asked[: match.start()], words.matcher("ask_particle").sub("", asked[match.end() :])
    opening = words.matcher("answer_repeated").match(said)
    first, comma, rest = (said[opening.end() :] if opening else said).partition("\uff0c")
    after = "" if after and first.endswith(after) else after  # the answer names it already
    told = f"{before}{first}{after}{comma}{rest}"
    return words.matcher("addressed").sub(words.tables["answer"]["me"], told)
