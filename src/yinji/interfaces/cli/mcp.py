"""The MCP server on standard input and output, and its place in the configuration of a client."""

from __future__ import annotations

from pathlib import Path

from yinji.errors import InvalidInput
from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.serve import need


def mcp(call: Call) -> int:
    """Answers a client over standard input and output, or writes itself into the client's configuration."""
    need("mcp", "mcp")
    if call.options.action == "install":
        return _install(call)
    from yinji.interfaces.mcp_server.streams import protocol_streams

    with protocol_streams() as (source, output):
        from yinji import Memory
        from yinji.interfaces.mcp_server import stdio

        settings, options = call.settings(), call.options
        with Memory.open(options.store, owner=call.owner, key=call.key(), settings=settings) as memory:
            stdio.run(
                memory,
                source,
                output,
                owner=call.owner,
                settings=settings,
                profile=options.profile,
                language=call.say.language,
            )
    return DONE


def _install(call: Call) -> int:
    from yinji.arguments import nearest
    from yinji.interfaces.mcp_server.clients import clients, entry, with_server, write

    known = clients(Path.home(), Path.cwd())
    name = call.options.client or ""
    if name not in known:
        raise InvalidInput(
            what=call.say("mcp.client", name=name) if name else call.say("mcp.client_unnamed"),
            problem=call.say("mcp.unknown" if name else "mcp.unnamed"),
            hint=call.say("mcp.known", names=", ".join(known)) + str(call.say.phrase(nearest(name, known))),
        )
    client = known[name]
    text = with_server(client, entry(_chosen(call)))
    if not call.screen.json:
        call.screen.note(call.say("mcp.will_write", file=client.file))
        call.screen.data(text.rstrip())
    call.confirm(call.say("mcp.confirm", file=client.file))
    kept = write(client, text)
    if call.screen.json:
        call.screen.value({"client": name, "file": str(client.file), "backup": str(kept) if kept else None})
        return DONE
    call.screen.note(call.say("mcp.written", file=client.file, client=name))
    if kept is not None:
        call.screen.note(call.say("mcp.kept", file=kept))
    return DONE


def _chosen(call: Call) -> list[str]:
    """The options that name the store and its owner, as the client must give them; a key never stands in a file."""
    options = call.options
    chosen = ["--store", str(Path(options.store).resolve())] if options.store else []
    chosen += ["--owner", options.owner] if options.owner else []
    chosen += ["--key-file", str(Path(options.key_file).resolve())] if options.key_file else []
    return chosen + (["--lang", options.lang] if options.lang else [])
