"""What lets other programs in: serve, and the tokens that it asks for."""

from __future__ import annotations

from yinji.errors import InvalidInput, MissingExtra
from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.show import local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from yinji import Memory
    from yinji.ports import Token

ALL = "all"
USUAL = ("remember", "recall")
"""What a token may do when nothing else is said: take part in a conversation, not look through what is kept."""


def serve(call: Call) -> int:
    """Answers over HTTP until it is stopped."""
    need("serve", "uvicorn", "starlette")
    from yinji import Memory
    from yinji.interfaces.http import run

    options, settings = call.options, call.settings()
    port = settings.serve.port if options.port is None else options.port
    if not 0 <= port <= 65535:
        raise InvalidInput(what="--port", problem=f"{port} is out of range", hint="Give a number from 0 to 65535.")
    if options.upstream is not None:
        settings = settings.with_values("serve", {"upstream": options.upstream})
    if settings.serve.upstream:
        need("proxy", "httpx")
    names = frozenset(one.lower() for one in options.allow_host or ())
    origins = frozenset(one.rstrip("/") for one in options.allow_origin or ())
    key = call.key()

    def open_memory(reads: bool) -> Memory:
        return Memory.open(options.store, owner=call.owner, key=key, settings=settings, reads=reads)

    def tell(url: str) -> None:
        proxy = {"proxy": f"{url}/proxy/v1"} if settings.serve.upstream else {}
        if call.screen.json:
            call.screen.value({"url": url} | proxy)
        else:
            call.screen.data(call.say("serve.started", url=url))
            call.screen.note(call.say("serve.proxy", **proxy)) if proxy else None
        call.screen.flush()

    run.serve(
        open_memory,
        address=run.Address(host=options.host, port=port, names=names, origins=origins),
        settings=settings,
        key=key,
        owner=call.owner,
        language=call.say.language,
        tell=tell,
    )
    return DONE


def need(command: str, *modules: str) -> None:
    """Raises MissingExtra unless what the command needs beyond the base install is there."""
    from importlib.util import find_spec

    if not all(find_spec(one) for one in modules):
        raise MissingExtra(command=command, extra=command)


def token(call: Call) -> int:
    """Makes, lists and revokes tokens. The secret is shown once, alone on standard output."""
    action, name = call.options.action, call.options.name
    if action == "list":
        return _list(call)
    if not name:
        raise InvalidInput(
            what=call.say("token.what"),
            problem=call.say("token.nameless"),
            hint=f"yinji token {action} {call.say.term('metavar', 'NAME')}",
        )
    return _add(call, name) if action == "add" else _revoke(call, name)


def _add(call: Call, name: str) -> int:
    may = _grants(call)
    with call.new_memory(waits=False) as memory:
        made, secret = memory.tokens.add(
            name, owner=call.owner, may=may, app=call.options.app, until=call.options.until
        )
    if call.screen.json:
        call.screen.value({**_shown(made), "token": secret})
        return DONE
    call.screen.note(call.say("token.made", name=made.name, owner=made.owner, may=", ".join(sorted(made.may))))
    call.screen.data(secret)
    return DONE


def _grants(call: Call) -> frozenset[str]:
    from yinji.interfaces.operations import GRANTS

    wanted = [one.strip() for part in call.options.may or USUAL for one in part.split(",") if one.strip()]
    for one in wanted:
        if one not in (*GRANTS, ALL):
            from yinji.arguments import nearest

            raise InvalidInput(
                what=f"--may {one}",
                problem=call.say("token.no_grant"),
                hint=call.say("token.grants", grants=", ".join((*GRANTS, ALL)))
                + str(call.say.phrase(nearest(one, GRANTS))),
            )
    return frozenset(GRANTS if ALL in wanted else wanted)


def _list(call: Call) -> int:
    with call.memory(reads=True, any_owner=True) as memory:
        held = [one for one in memory.tokens.all() if call.options.owner in (None, one.owner)]
    if call.screen.json:
        call.screen.value([_shown(one) for one in held])
        return DONE
    titles = [call.say(f"column.{name}") for name in ("name", "owner", "app", "written", "until", "may")]
    call.screen.rows(titles, map(_row, held))
    if not held:
        call.screen.note(call.say("token.none"))
    return DONE


def _row(one: Token) -> tuple[str, ...]:
    until = "" if one.until is None else local(one.until)
    return one.name, one.owner, one.app or "", local(one.created_at), until, ", ".join(sorted(one.may))


def _revoke(call: Call, name: str) -> int:
    with call.memory(any_owner=True) as memory:
        memory.tokens.revoke(name)
    if call.screen.json:
        call.screen.value({"revoked": name})
    else:
        call.screen.data(call.say("token.revoked", name=name))
    return DONE


def _shown(token: Token) -> dict[str, object]:
    return {
        "name": token.name,
        "owner": token.owner,
        "app": token.app,
        "may": sorted(token.may),
        "created_at": token.created_at,
        "until": token.until,
    }
