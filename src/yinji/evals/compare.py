"""This run beside an earlier one: which numbers moved, and whether that is more than chance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from yinji.errors import InvalidInput
from yinji.evals.data import lines
from yinji.evals.report import Answer, Compared, Report, differences

REPORT = "report.json"
ANSWERS = "answers.jsonl"


def write(report: Report, out: Path) -> None:
    """``report.json`` and one line per answer, into the folder."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report.as_json(), ensure_ascii=False, indent=2)
        (out / REPORT).write_text(text + "\n", encoding="utf-8")
        with (out / ANSWERS).open("w", encoding="utf-8", newline="\n") as file:
            for answer in report.answers:
                file.write(json.dumps(answer.as_json(), ensure_ascii=False) + "\n")
    except OSError as error:
        problem = error.strerror or str(error)
        raise InvalidInput(what=str(out), problem=problem, hint="Name a folder for --out.") from error


def compare(report: Report, earlier: Path) -> Compared:
    """The report minus the one at ``earlier``: a folder that ``--out`` wrote, or what ``--json`` printed.

    Raises InvalidInput when it is neither, or is of another eval.
    """
    before = _read(earlier / REPORT if earlier.is_dir() else earlier)
    if before.get("eval") != report.eval:
        problem = f"it is of {before.get('eval')!r}, not of {report.eval!r}"
        raise InvalidInput(what=str(earlier), problem=problem, hint="Check --against.")
    overall = _numbers(before["overall"])
    beside = earlier / ANSWERS if earlier.is_dir() else earlier.with_name(ANSWERS)
    answered = _values(beside) if earlier.is_dir() or earlier.name == REPORT else {}
    now = {_key(answer): answer.values for answer in report.answers}
    return Compared(
        source=str(earlier),
        date=str(before.get("date", "")),
        before=overall,
        difference={name: report.overall[name] - value for name, value in overall.items() if name in report.overall},
        paired=differences([(now[key], answered[key]) for key in now if key in answered]),
    )


def _read(path: Path) -> Mapping[str, object]:
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        problem = (error.strerror or str(error)) if isinstance(error, OSError) else f"it is not JSON ({error})"
        raise InvalidInput(what=str(path), problem=problem, hint="Check --against.") from error
    if isinstance(read, dict) and isinstance(read.get("overall"), dict):
        return read
    raise InvalidInput(what=str(path), problem="it is not a report of yinji eval", hint="Check --against.")


def _numbers(value: object) -> dict[str, float]:
    assert isinstance(value, dict)
    return {str(name): float(one) for name, one in value.items() if isinstance(one, int | float)}


def _values(path: Path) -> dict[tuple[str, str], dict[str, float]]:
    if not path.is_file():
        return {}
    return {(line.text("set", ""), line.name("id")): _numbers(line.row.get("values", {})) for line in lines(path)}


def _key(answer: Answer) -> tuple[str, str]:
    return answer.set, answer.id
