"""Text files for a model's memory tool, kept as documents: the directories are the namespace, the file is the key.

Answers and complaints are those of the file-system tool in Anthropic's SDK, word for word: models know them. A
directory is there as long as a file is below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from yinji.document import Document
from yinji.filing.documents import Documents, Put
from yinji.integrations.file_paths import ROOT, RefusedPath, parts_of, path_of

MOST_LINES = 999_999
LONGEST = 1_000_000
"""Characters of one file."""
SHOWN_DEPTH = 2
_WIDTH = len(str(MOST_LINES))
_TRIES = 20
_NOTE = (
    "\nWhat must not be kept (numbers that pay or identify, passwords) was replaced by placeholders such as [secret]."
)


class FileRefused(ValueError):
    """What the tool answers as an error."""


class Files:
    """The commands of the tool. Each is one transaction; what another process changed meanwhile is seen and kept."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def view(self, path: str, view_range: Sequence[int] | None = None) -> str:
        parts = self._parts(path)
        if (file := self._file(parts)) is not None:
            return _numbered(path, _text(file), view_range)
        below = self._below(parts)
        if parts and not below:
            raise FileRefused(f"The path {path} does not exist. Please provide a valid path.")
        return _listed(path, parts, below)

    def create(self, path: str, file_text: str) -> str:
        parts = self._parts(path)
        if not parts or self._below(parts, limit=1):
            raise FileRefused(f"File {path} already exists")
        self._refuse_below_a_file(path, parts)
        text, note = self._kept(file_text)
        if not self._documents.write([_put(parts, text, expected=0)]):
            raise FileRefused(f"File {path} already exists")
        return f"File created successfully at: {path}{note}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        if not old_str:
            raise FileRefused("No replacement was performed, old_str is empty.")
        before = ""

        def replaced(text: str) -> str:
            nonlocal before
            before = _before(path, text, old_str)
            return text.replace(old_str, new_str)

        text, note = self._edit(path, replaced)
        told = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return f"{told}\n{_snippet(text, before.count(chr(10)))}{note}"

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        def inserted(text: str) -> str:
            lines = text.split("\n")
            if lines[-1] == "":
                lines.pop()
            if not 0 <= insert_line <= len(lines):
                raise FileRefused(
                    f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(insert_line, insert_text.rstrip("\n"))
            return "\n".join(lines).removesuffix("\n") + "\n"

        _, note = self._edit(path, inserted)
        return f"The file {path} has been edited.{note}"

    def delete(self, path: str) -> str:
        parts = self._parts(path)
        if not parts:
            raise FileRefused(f"Cannot delete the {ROOT} directory itself")

        def removed() -> list[Put]:
            if not (found := self._at(parts)):
                raise FileRefused(f"The path {path} does not exist")
            return [_removal(one) for one in found]

        self._write(path, removed)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        old, new = self._parts(old_path), self._parts(new_path)
        if not old:
            raise FileRefused(f"Cannot rename the {ROOT} directory itself")

        def moved() -> list[Put]:
            if not new or self._at(new, limit=1):
                raise FileRefused(f"The destination {new_path} already exists")
            if not (found := self._at(old)):
                raise FileRefused(f"The path {old_path} does not exist")
            if new[: len(old)] == old:
                raise FileRefused(f"Cannot move {old_path} into itself")
            self._refuse_below_a_file(new_path, new)
            return [_removal(one) for one in found] + [
                _put((*new, *_parts(one)[len(old) :]), _text(one), expected=0, first=one) for one in found
            ]

        self._write(new_path, moved)
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        self._write(ROOT, lambda: [_removal(one) for one in self._below(())])
        return "All memory cleared"

    def search(self, query: str, limit: int = 5) -> list[tuple[str, float]]:
        """(path, score) of the files nearest in meaning, the nearest first."""
        found = self._documents.search(query, limit=limit)
        return [(path_of(_parts(one.document)), one.score) for one in found if one.score is not None]

    # ------------------------------------------------------------ what is there

    def _parts(self, path: str) -> tuple[str, ...]:
        try:
            parts = parts_of(path)
        except RefusedPath as error:
            raise FileRefused(str(error)) from error
        if self._documents.as_kept({"path": path})["path"] != path:
            raise FileRefused("A path may not hold a secret, or a number that pays or identifies")
        return parts

    def _file(self, parts: tuple[str, ...]) -> Document | None:
        return self._documents.get(parts[:-1], parts[-1]) if parts else None

    def _below(self, parts: tuple[str, ...], limit: int | None = None) -> list[Document]:
        return self._documents.select(parts, limit=limit)

    def _at(self, parts: tuple[str, ...], limit: int | None = None) -> list[Document]:
        """The file there, or all below the directory."""
        file = self._file(parts)
        return self._below(parts, limit) if file is None else [file]

    def _refuse_below_a_file(self, path: str, parts: tuple[str, ...]) -> None:
        for end in range(1, len(parts)):
            if self._file(parts[:end]) is not None:
                raise FileRefused(f"Cannot write {path}: {path_of(parts[:end])} is a file")

    # ------------------------------------------------------------ changing it

    def _kept(self, text: str) -> tuple[str, str]:
        """The text as it is kept, and what to say if that is another."""
        if len(text) > LONGEST:
            raise FileRefused(f"The text has {len(text):,} characters; a file takes {LONGEST:,}. Cut it up.")
        kept = str(self._documents.as_kept({"text": text})["text"])
        return kept, _NOTE if kept != text else ""

    def _edit(self, path: str, change: Callable[[str], str]) -> tuple[str, str]:
        """(text after it, what to say besides)"""
        parts = self._parts(path)
        kept = note = ""

        def edited() -> list[Put]:
            nonlocal kept, note
            if (file := self._file(parts)) is None:
                if not parts or self._below(parts, limit=1):
                    raise FileRefused(f"The path {path} is not a file.")
                raise FileRefused(f"The path {path} does not exist. Please provide a valid path.")
            kept, note = self._kept(change(_text(file)))
            return [_put(parts, kept, expected=file.stamp)]

        self._write(path, edited)
        return kept, note

    def _write(self, path: str, make: Callable[[], list[Put]]) -> None:
        """Writes what is made of what is there; made again where that was changed meanwhile."""
        for _ in range(_TRIES):
            if self._documents.write(make()):
                return
        raise FileRefused(f"The file {path} is being changed by others. Please try again.")


def _parts(one: Document) -> tuple[str, ...]:
    return (*one.namespace, one.key)


def _text(one: Document) -> str:
    return str(one.value["text"])


def _put(parts: tuple[str, ...], text: str, *, expected: int, first: Document | None = None) -> Put:
    created = None if first is None else first.created_at
    value = {"text": text}
    return Put(
        namespace=parts[:-1], key=parts[-1], value=value, fields=("text",), expected=expected, created_at=created
    )


def _removal(one: Document) -> Put:
    return Put(namespace=one.namespace, key=one.key, value=None, expected=one.stamp)


def _before(path: str, text: str, old: str) -> str:
    """What stands before the only place where it occurs. Raises FileRefused for none or several."""
    found = list(_places(text, old))
    if not found:
        raise FileRefused(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if text.count(old) > 1:
        lines = ", ".join(str(text[:at].count("\n") + 1) for at in found)
        raise FileRefused(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    return text[: found[0]]


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _snippet(text: str, line: int) -> str:
    """Two lines before a line and two after it."""
    lines = text.split("\n")
    start = max(0, line - 2)
    return _with_numbers(lines[start : line + 3], start)


def _with_numbers(lines: Sequence[str], start: int) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, start + 1))


def _numbered(path: str, text: str, view_range: Sequence[int] | None) -> str:
    lines, start = text.split("\n"), 0
    if len(lines) > MOST_LINES:
        raise FileRefused(f"File {path} exceeds maximum line limit of 999,999 lines.")
    if view_range and len(view_range) == 2:
        start = max(1, view_range[0]) - 1
        lines = lines[start : len(lines) if view_range[1] == -1 else view_range[1]]
    return f"Here's the content of {path} with line numbers:\n{_with_numbers(lines, start)}"


def _listed(path: str, parts: tuple[str, ...], below: Sequence[Document]) -> str:
    sizes = [(_parts(one)[len(parts) :], len(_text(one).encode(errors="surrogatepass"))) for one in below]
    lines = [f"{_size(sum(size for _, size in sizes))}\t{path}"]
    shown: dict[tuple[str, ...], str] = {}
    for names, size in sizes:
        for depth in range(1, min(len(names), SHOWN_DEPTH) + 1):
            part = names[:depth]
            if any(name.startswith(".") for name in part):
                break
            if depth == len(names):
                shown[part] = f"{_size(size)}\t{path}/{'/'.join(part)}"
            else:
                inside = sum(other for name, other in sizes if name[:depth] == part)
                shown[part] = f"{_size(inside)}\t{path}/{'/'.join(part)}/"
    lines += [shown[part] for part in sorted(shown)]
    header = f"Here're the files and directories up to {SHOWN_DEPTH} levels deep in {path}, excluding hidden items:"
    return header + "\n" + "\n".join(lines)


def _size(size: int) -> str:
    if size == 0:
        return "0B"
    step = min((size.bit_length() - 1) // 10, 3)
    number = size / 1024**step
    return f"{int(number) if number == int(number) else format(number, '.1f')}{'BKMG'[step]}"
