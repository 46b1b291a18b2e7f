"""The official conformance suite of MCP against `yinji serve`, in both ages of the protocol.

    python -m tests.mcp_conformance                          # with npx; the suite needs Node 22 and the npm registry
    python -m tests.mcp_conformance --command 'node PATH/dist/index.js' --write docs/mcp-conformance.md

The suite is made for a server with tools, resources and prompts of its own ("test_image_content"); what asks for one of
those says nothing about this server and is listed as such. Anything else that fails makes this fail.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VERSION = "0.2.0-alpha.12"
AGES = ("2025-11-25", "2026-07-28")
FIXTURE = "asks for a tool, resource or prompt of the suite's own server"
NOT_OFFERED: Mapping[str, str] = {
    "logging-set-level": "this server sends no log to its clients",
    "completion-complete": "this server completes no arguments",
    "resources-subscribe": "resources are read, not subscribed to",
    "resources-unsubscribe": "resources are read, not subscribed to",
    "http-custom-header-server-validation": "no tool asks for a header of its own",
}
FIXTURES = (
    "tools-call-",
    "elicitation-",
    "input-required-",
    "json-schema-2020-12",
    "server-sse-polling",
    "resources-read-",
    "resources-templates-read",
    "prompts-get-",
)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    age: str
    scenario: str
    passed: int
    failed: tuple[str, ...]
    warned: tuple[str, ...]
    untestable: int
    """Checks that call a tool of the suite's own, by what the suite itself says."""

    @property
    def left_out(self) -> str:
        """Why it says nothing about this server; empty when it does."""
        if self.scenario in NOT_OFFERED:
            return NOT_OFFERED[self.scenario]
        return FIXTURE if self.scenario.startswith(FIXTURES) else ""


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server on a store of its own."""
    with tempfile.TemporaryDirectory(prefix="yinji-conformance-") as folder:
        command = [sys.executable, "-m", "yinji", "--store", f"{folder}/memory.yinji", "serve", "--port", "0", "--json"]
        environment = {**os.environ, "YINJI_EMBED__MODEL": "hashing"}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        ) as server:
            assert server.stdout is not None
            try:
                yield json.loads(server.stdout.readline())["url"]
            finally:
                server.terminate()


def run(suite: Sequence[str], url: str, age: str) -> list[Outcome]:
    with tempfile.TemporaryDirectory(prefix="yinji-conformance-") as folder:
        asked = ["server", "--url", f"{url}/mcp", "--suite", "all", "--spec-version", age, "--output-dir", folder]
        done = subprocess.run([*suite, *asked], check=False, capture_output=True, text=True, encoding="utf-8")
        found = sorted(Path(folder).glob("*/checks.json"))
        if not found:
            sys.exit(f"the suite did not run:\n{done.stdout}\n{done.stderr}")
        return [_outcome(age, one) for one in found]


def _outcome(age: str, file: Path) -> Outcome:
    """One scenario's checks; its folder is called ``server-NAME-TIME``."""
    checks = json.loads(file.read_text(encoding="utf-8"))
    by: dict[str, list[str]] = {}
    for one in checks:
        untestable = (one.get("details") or {}).get("untestable")
        by.setdefault("UNTESTABLE" if untestable else one["status"], []).append(one["id"])
    return Outcome(
        age=age,
        scenario=re.sub(r"-\d{4}-\d\d-\d\dT.*", "", file.parent.name.removeprefix("server-")),
        passed=len(by.get("SUCCESS", ())),
        failed=tuple(by.get("FAILURE", ())),
        warned=tuple(by.get("WARNING", ())),
        untestable=len(by.get("UNTESTABLE", ())),
    )


def table(outcomes: Sequence[Outcome]) -> str:
    applied = [one for one in outcomes if not one.left_out]
    rows = [f"| `{one.scenario}` | {one.age} | {one.passed} | {one.untestable} | {_said(one)} |" for one in applied]
    reasons: dict[str, list[str]] = {}
    for name, why in sorted({(one.scenario, one.left_out) for one in outcomes if one.left_out}):
        reasons.setdefault(why, []).append(f"`{name}`")
    others = [f"- {why}: {', '.join(names)}" for why, names in reasons.items()]
    return "\n".join(
        [
            "| scenario | protocol | checks passed | not testable here | failed or warned |",
            "| --- | --- | ---: | ---: | --- |",
            *rows,
            "",
            "Left out, with the reason:",
            "",
            *others,
        ]
    )


def _said(one: Outcome) -> str:
    return ", ".join([*(f"**{name}**" for name in one.failed), *(f"{name} (warning)" for name in one.warned)]) or "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=f"npx -y @modelcontextprotocol/conformance@{VERSION}")
    parser.add_argument("--write", type=Path, help="a document whose table is replaced by the one found")
    options = parser.parse_args()
    with serving() as url:
        outcomes = [one for age in AGES for one in run(shlex.split(options.command), url, age)]
    found = table(outcomes)
    print(found)
    if options.write:
        head = options.write.read_text(encoding="utf-8").partition("<!-- table -->")[0]
        options.write.write_text(f"{head}<!-- table -->\n\n{found}\n", encoding="utf-8")
    sys.exit(any(one.failed for one in outcomes if not one.left_out))


if __name__ == "__main__":
    main()
