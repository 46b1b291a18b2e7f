"""Where each operation is reached over HTTP. What it takes and gives stands in ``interfaces.operations``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

OK, ACCEPTED = 200, 202
BODYLESS = frozenset({"GET", "DELETE"})
"""Methods whose arguments stand in the query."""
READING = frozenset({"recall", "context", "why"})
"""What is asked with a body and yet changes nothing."""
_BLANK = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    operation: str
    method: str
    path: str
    status: int = OK
    several: Mapping[str, str] = field(default_factory=dict)
    """A name in the path → the argument of several values whose only one it is."""

    @property
    def blanks(self) -> tuple[str, ...]:
        """The names in the path."""
        return tuple(_BLANK.findall(self.path))

    @property
    def keyed(self) -> bool:
        """Whether an Idempotency-Key says anything: what only reads may be asked again as it is."""
        return self.method not in BODYLESS and self.operation not in READING

    @property
    def name(self) -> str:
        """How it is called in the document: unique, though two routes may lead to one operation."""
        return self.operation if not self.several else f"{self.operation}_one"


UNDER = "/v1/"
"""How the path of every operation begins."""

ROUTES: tuple[Route, ...] = (
    Route(operation="remember", method="POST", path="/v1/remember", status=ACCEPTED),
    Route(operation="remember_many", method="POST", path="/v1/remember_many", status=ACCEPTED),
    Route(operation="outcome", method="GET", path="/v1/turns/{turn_id}"),
    Route(operation="recall", method="POST", path="/v1/recall"),
    Route(operation="context", method="POST", path="/v1/context"),
    Route(operation="why", method="POST", path="/v1/why"),
    Route(operation="feedback", method="POST", path="/v1/feedback"),
    Route(operation="list", method="GET", path="/v1/memories"),
    Route(operation="get", method="GET", path="/v1/memories/{id}"),
    Route(operation="edit", method="PATCH", path="/v1/memories/{id}"),
    Route(operation="forget", method="DELETE", path="/v1/memories/{id}", several={"id": "ids"}),
    Route(operation="pin", method="POST", path="/v1/memories/{id}/pin"),
    Route(operation="forget", method="POST", path="/v1/forget"),
    Route(operation="undo", method="POST", path="/v1/undo"),
    Route(operation="history", method="GET", path="/v1/history"),
    Route(operation="questions", method="GET", path="/v1/questions"),
    Route(operation="answer", method="POST", path="/v1/questions/{id}"),
    Route(operation="stats", method="GET", path="/v1/stats"),
    Route(operation="import", method="POST", path="/v1/import"),
    Route(operation="export", method="GET", path="/v1/export"),
    Route(operation="erase", method="POST", path="/v1/erase"),
)

STATUS: Mapping[str, int] = {
    "invalid_input": 400,
    "invalid_time": 400,
    "missing_owner": 400,
    "import_failed": 400,
    "not_json": 400,
    "no_token": 401,
    "wrong_token": 401,
    "not_allowed": 403,
    "foreign_host": 403,
    "foreign_origin": 403,
    "not_found": 404,
    "nothing_to_undo": 404,
    "wrong_method": 405,
    "too_large": 413,
    "not_a_media_type": 415,
    "key_reused": 422,
    "queue_full": 429,
    "rate_limited": 429,
    "store_busy": 503,
    "model_unavailable": 503,
    "store": 503,
    "read_only_store": 503,
    "store_damaged": 503,
    "store_full": 507,
    "unexpected": 500,
}
"""The code of an error → the status of its answer."""
