"""What a user is told before doing anything, in both languages, and how fast."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import yinji as package
from tests.interfaces.conftest import LANGUAGES, Yinji
from yinji import errors
from yinji.interfaces.cli.entry import EXIT_CODES
from yinji.interfaces.cli.table import COMMANDS, GLOBAL, GROUPS
from yinji.interfaces.messages import LANGUAGES as ALL
from yinji.interfaces.messages import Messages, language_of

NOT_YET = ("profile", "upkeep")
BLANK = re.compile(r"(?<!\{)\{(\w+)")


@pytest.mark.req("P2")
@LANGUAGES
def test_help_lists_every_command_and_none_that_is_not_there(yinji: Yinji, lang: str) -> None:
    shown = yinji("--help", "--lang", lang)
    assert shown.code == 0
    listed = re.findall(r"^  ([a-z]+) +\S", shown.out, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)
    assert not set(NOT_YET) & set(COMMANDS)
    assert bool(re.search("[一-鿿]", shown.out)) == (lang == "zh")
    assert not shown.err


@pytest.mark.req("P2")
@LANGUAGES
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_in_the_users_language(yinji: Yinji, name: str, lang: str) -> None:
    shown = yinji(name, "--help", "--lang", lang) if lang == "en" else yinji("--lang", lang, name, "-h")
    assert shown.code == 0
    assert Messages(lang)(f"help.{name}")[:20] in shown.out.replace("\n", " ")
    for option in (*COMMANDS[name].options, *GLOBAL):
        assert option.settings.get("metavar") or option.names[0] in shown.out
    if lang == "zh":
        assert not re.search(r"\b(usage|options|arguments|show this|optional)\b", shown.out)
    assert max(map(len, shown.out.splitlines())) <= 80
    assert " None " not in shown.out


@pytest.mark.req("P2")
def test_every_option_and_command_has_its_words() -> None:
    texts = Messages("en").texts
    wanted = {f"{part}.{name}" for name in COMMANDS for part in ("help", "summary")}
    wanted |= {f"option.{name}.{one.key}" for name, command in COMMANDS.items() for one in command.options}
    wanted |= {f"option.{one.key}" for one in GLOBAL} | {f"group.{name}" for name in GROUPS}
    wanted |= {f"exit.{key}" for key in EXIT_CODES.values()}
    assert not wanted - set(texts)
    described = {key for key in texts if key.startswith(("help.", "summary.", "option.", "group.", "exit."))}
    assert described - wanted <= {
        "help.everywhere",
        "help.everywhere_title",
        "help.more",
        "option.help",
        "option.version",
    }
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)


@pytest.mark.req("P2", "P3")
def test_both_languages_say_the_same_things() -> None:
    english, chinese = (Messages(one).texts for one in ALL)
    translated = {key for key in chinese if not key.startswith(("error.", "phrase."))}
    assert translated == set(english)
    for key, text in english.items():
        if not key.startswith("argparse."):
            assert sorted(BLANK.findall(text)) == sorted(BLANK.findall(chinese[key])), key


@pytest.mark.req("P3")
def test_every_error_has_a_sentence_in_chinese() -> None:
    def below(kind: type[errors.YinjiError]) -> list[type[errors.YinjiError]]:
        return [kind, *(one for child in kind.__subclasses__() for one in below(child))]

    texts = Messages("zh").texts
    for kind in below(errors.YinjiError):
        chinese = texts.get(f"error.{kind.code}", "")
        assert re.search("[一-鿿]", chinese) or set(BLANK.findall(chinese)) == set(BLANK.findall(kind.template)), kind
        assert set(BLANK.findall(chinese)) <= set(BLANK.findall(kind.template)), kind


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LC_ALL": "C.UTF-8", "YINJI_LANG": "zh"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
    ],
)
@pytest.mark.req("P2")
def test_the_language_is_the_users(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


@pytest.mark.req("P2")
def test_without_a_command_the_overview_comes_with_the_code_for_wrong_usage(yinji: Yinji) -> None:
    shown = yinji()
    assert shown.code == 2
    assert shown.out == yinji("--help").out == yinji("help").out
    assert yinji("help", "recall").out == yinji("recall", "--help").out


@pytest.mark.req("P2")
def test_the_version_is_the_packages(yinji: Yinji) -> None:
    assert yinji("--version").out == f"yinji {package.__version__}\n"


@pytest.mark.req("P2")
@pytest.mark.parametrize(
    ("shell", "holds"), [("bash", "complete"), ("zsh", "#compdef yinji"), ("fish", "complete -c yinji")]
)
def test_a_completion_script_knows_the_commands_and_is_sound(yinji: Yinji, shell: str, holds: str) -> None:
    import shutil

    made = yinji("completion", shell)
    assert made.code == 0
    assert holds in made.out
    assert all(name in made.out for name in COMMANDS)
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=made.out.encode(), check=True)


@pytest.mark.req("P2")
def test_help_takes_under_a_third_of_what_importing_the_runtime_takes(environment: dict[str, str]) -> None:
    pytest.importorskip("onnxruntime")

    def seconds(*arguments: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
        return time.perf_counter() - began

    rounds = [(seconds("-m", "yinji", "--help"), seconds("-c", "import onnxruntime")) for _ in range(11)]
    help_s, runtime_s = map(min, zip(*rounds, strict=True))  # whatever else the machine does only adds to a time
    assert help_s < 0.3 * runtime_s, f"{help_s * 1000:.0f} ms against {runtime_s * 1000:.0f} ms"


@pytest.mark.req("P2")
def test_help_loads_nothing_heavy(environment: dict[str, str]) -> None:
    code = "from yinji.interfaces.cli import main; main(['recall', '--help']); print(*sys.modules, file=sys.stderr)"
    code = f"import sys; {code}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)
    modules = done.stderr.decode().split()
    loaded = {name.partition(".")[0] for name in modules}
    assert not loaded & {"numpy", "apsw", "onnxruntime", "rich", "rjieba", "dataclasses", "pathlib", "platformdirs"}
    assert not any(name.startswith(("yinji.model", "yinji.engine")) for name in modules)
    assert Path(package.__file__).parent.name == "yinji"


@pytest.mark.req("P2", "P3")
@pytest.mark.parametrize("name", COMMANDS)
def test_what_an_option_is_called_and_what_it_means_stand_apart_in_chinese(yinji: Yinji, name: str) -> None:
    """A Chinese character takes two columns: an option's meaning begins after two spaces, or on its own line."""
    for line in yinji(name, "--help", "--lang", "zh").out.splitlines():
        if line.startswith("  -"):
            assert re.match(r"  \S+( \S+)?(, \S+( \S+)?)?(  |$)", line), line
