"""The page at ``/``: what this server is, and how to use it. One file, no script, nothing from elsewhere."""

from __future__ import annotations

from html import escape
from string import Template

import yinji
from yinji import shipped
from yinji.interfaces.http.table import ROUTES
from yinji.interfaces.meanings import meaning


def landing(language: str, *, base: str) -> str:
    """HTML in ``en`` or ``zh``. ``base`` is where the server was reached, escaped already."""
    rows = "\n".join(
        f"<tr><td>{one.method}</td><td><code>{escape(one.path)}</code></td>"
        f"<td>{escape(meaning(one.operation, language))}</td></tr>"
        for one in ROUTES
    )
    page = shipped.text(f"pages/landing.{language}.html")
    return Template(page).substitute(version=yinji.__version__, base=base, routes=rows)
