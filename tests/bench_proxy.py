"""What the proxy adds to the time to a chat's first token: the same streamed chats straight to a model that answers at
once, through ``yinji serve --upstream`` without memory, and with it, in turn and in one run.

    python -m tests.bench_proxy [--chats 200] [--memories 1000]

Prints one JSON object: milliseconds to the first byte of the answer, and the difference of each chat to its direct one.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from tests.interfaces.model import DONE, chunk, sent, serving
from tests.load_http import Server, asked, percentiles, prepare

PIECES = (chunk({"content": "In warehouse "}), chunk({"content": "7."}), chunk({}, "stop"), DONE)
WAYS = ("direct", "proxy", "memory")


async def answer(request: Request) -> StreamingResponse:
    await request.body()
    return StreamingResponse(sent(*PIECES), media_type="text/event-stream")


def first_byte(client: httpx.Client, url: str, headers: dict[str, str], text: str) -> tuple[float, str]:
    """Milliseconds to the answer's first byte, and what the proxy says of memory."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]
    body = {"model": "m", "messages": messages, "stream": True}
    begun = time.perf_counter()
    with client.stream("POST", f"{url}/chat/completions", json=body, headers=headers) as stream:
        pieces = stream.iter_raw()
        next(pieces)
        took = (time.perf_counter() - begun) * 1000
        for _ in pieces:
            pass
        return took, stream.headers.get("x-yinji-memory", "")


def measure(direct: str, proxy: str, token: str, chats: int) -> dict[str, Any]:
    ways: dict[str, tuple[str, dict[str, str]]] = {
        "direct": (direct, {}),
        "proxy": (proxy, {"x-yinji-token": token, "x-yinji-memory": "off"}),
        "memory": (proxy, {"x-yinji-token": token}),
    }
    took: dict[str, list[float]] = {way: [] for way in WAYS}
    used = 0
    with httpx.Client(trust_env=False, timeout=60) as client:
        for number in range(-10, chats):
            for way in WAYS:
                ms, outcome = first_byte(client, *ways[way], f"{asked(number % 40)} ({number})")
                if number >= 0:
                    took[way].append(ms)
                    used += outcome == "used"
    added = {
        way: percentiles([one - plain for one, plain in zip(took[way], took["direct"], strict=True)])
        for way in ("proxy", "memory")
    }
    return {
        "chats": chats,
        "with_memories": used,
        "ms": {way: percentiles(took[way]) for way in WAYS},
        "added_ms": added,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chats", type=int, default=200)
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--model", default="e5-small")
    options = parser.parse_args()
    places = [Route("/v1/chat/completions", answer, methods=["POST"])]
    with tempfile.TemporaryDirectory(prefix="yinji-proxy-") as folder, serving(Starlette(routes=places)) as url:
        store = Path(folder) / "memory.yinji"
        (token,) = prepare(store, owners=1, memories=options.memories, model=options.model)
        settings = {
            "YINJI_EMBED__MODEL": options.model,
            "YINJI_SERVE__UPSTREAM": f"{url}/v1",
            "YINJI_SERVE__UPSTREAM_RECALL_S": "60",
            "YINJI_SERVE__RATE": "100000",
            "YINJI_SERVE__BURST": "1000000",
        }
        server = Server(store, settings)
        server.start()
        busy = os.getloadavg()[0]
        made = measure(f"{url}/v1", f"{server.url}/proxy/v1", token, options.chats)
        server.stop(signal.SIGTERM)
    print(json.dumps(made | {"memories": options.memories, "load_before": round(busy, 1), "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
