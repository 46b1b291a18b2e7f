"""A question becomes hits: STAGES is the table of contents (SPEC R6)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from yinji.config import Settings
from yinji.model import Candidate, Hit, MemoryEntry, Query, Scope
from yinji.ports import Discerning, Examined, Lens, ModelCard, Probe, Ranking, Store
from yinji.recall.breath import Beside, outlasting, said_with
from yinji.recall.bridge import beyond, bridge
from yinji.recall.confidence import BEST, confidence, measured
from yinji.recall.diversify import diversify
from yinji.recall.explain import sentence
from yinji.recall.features import measure, standing, telling
from yinji.recall.named import is_bare, known_of, put_first
from yinji.recall.newest import asks_for_last, asks_for_now, newest_first, overtaken
from yinji.recall.outlived import Outlived, doubted, outlived
from yinji.recall.paths import PATHS, Search, weights
from yinji.recall.rank import FILLED, Fused, by_score, fuse, rank, weigh
from yinji.recall.read import (
    ANSWERED,
    FACTOR,
    answering,
    answers,
    is_told,
    odds_of,
    ordered,
    read_again,
    shown,
    unanswered,
    without,
)
from yinji.recall.rerank import Timed, reranked
from yinji.recall.sought import gives_form, untold
from yinji.recall.trained import lens, ranker

if TYPE_CHECKING:
    from yinji.ports import Vector
    from yinji.recall.features import Column


TRAINED = "trained"
WEIGHED_MORE = 24
"""Candidates read beyond the memories asked for: what a memory's own strength can still lift into the answer."""


NEAR = 20
"""Candidates of which one at the least must tell an attribute that is asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What the stages pass on: the question, and what they have made of it so far."""

    query: Query
    top_k: int
    store: Store
    settings: Settings
    card: ModelCard | None
    vector: Vector | None
    rankings: Mapping[str, Ranking]
    lens: Lens | None = None
    """``None``: the one made for the model."""
    parts: tuple[Finding, ...] = ()
    """Where several questions are asked together: each by itself."""
    reranker: Timed | None = None
    reader: object = None
    """What may read memories beside the question: an embedder with layers tuned to it."""
    candidates: tuple[Candidate, ...] = ()
    seen: Examined | None = None
    """What was looked at closely so far."""
    spare: frozenset[str] = frozenset()
    """Candidates that are shown only where reading finds that they answer."""
    known: frozenset[str] = frozenset()
    """Candidates that are shown for what the message names, whether or not they answer."""
    silent: bool = False
    """Whether what was found is too unlikely to answer to be said."""
    remarks: frozenset[str] = frozenset()
    """Candidates that were said only beside what is over, and are shown where they answer."""
    hits: tuple[Hit, ...] = ()
    warnings: tuple[str, ...] = ()

    def search(self, found: tuple[str, ...] = ()) -> Search:
        """What a path may use; ``found``: what other paths have found so far."""
        return Search(
            store=self.store,
            query=self.query,
            vector=self.vector,
            model=self.card.id if self.card else None,
            settings=self.settings.recall,
            lens=self.lens or (lens(self.card.id) if self.card else None),
            found=found,
        )


def search(finding: Finding) -> Finding:
    """Asks every path, each inside the scope."""
    rankings: dict[str, Ranking] = {}
    found: dict[str, None] = {}
    for name, path in PATHS.items():
        ranking = path(finding.search(tuple(found)))
        rankings[name] = ranking
        found.update(dict.fromkeys(hit.id for hit in ranking.hits))
    return replace(finding, rankings=rankings, parts=tuple(map(search, finding.parts)))


def order(finding: Finding) -> Finding:
    """Fuses the paths, leaves out what does not answer, ranks what does, and weighs the best of it. Of several
    questions, a memory counts for the one that it answers best."""
    if finding.parts:
        return _together(finding, tuple(judge(read(order(part))) for part in finding.parts))
    settings = finding.settings
    spare = settings.recall.read if _reads(finding) else 0
    fused = fuse(finding.query, finding.rankings, settings=settings.recall, card=finding.card, spare=spare)
    top = max(settings.recall.weighed, finding.top_k + WEIGHED_MORE)
    if settings.recall.ranker == TRAINED:
        seen, features = featured(finding, [one.id for one in fused[: settings.recall.ranked]])
        fused = _ranked(finding, fused, features, seen.ids, top)
        finding = replace(finding, seen=seen)
    best = fused[:top]
    scope = finding.query.scope
    memories = finding.store.get(scope.owner, [one.id for one in best], hidden=scope.hidden)
    candidates = tuple(weigh(finding.query, best, memories, settings))
    return replace(
        finding,
        candidates=candidates,
        spare=frozenset(one.id for one in best if one.spare),
        known=known_of(finding.query, candidates),
    )


def _together(finding: Finding, parts: tuple[Finding, ...]) -> Finding:
    best: dict[str, Candidate] = {}
    said = [part for part in parts if not part.silent] or parts
    for one in sorted((one for part in said for one in part.candidates), key=lambda one: one.score):
        best[one.memory.id] = one
    silent = all(part.silent for part in parts)
    known = frozenset[str]().union(*(part.known for part in said))
    candidates = tuple(sorted(best.values(), key=by_score))
    return replace(finding, parts=parts, silent=silent, known=known, candidates=candidates)


def _ranked(
    finding: Finding, fused: Sequence[Fused], features: Mapping[str, Column], ids: Sequence[str], top: int
) -> list[Fused]:
    by_id = {one.id: one for one in fused}
    kind = "meaning" if finding.vector is not None else "words"
    return rank([by_id[id] for id in ids], features, ranker(kind), top=top)


def featured(finding: Finding, ids: Sequence[str]) -> tuple[Examined, Mapping[str, Column]]:
    """These memories beside the question, and each feature of each."""
    seen = examined(finding, ids)
    found = measure(finding.query, seen, standing(finding.rankings))
    return seen, {**found, "bridge": _bridge(finding, seen, found)}


def _bridge(finding: Finding, seen: Examined, found: Mapping[str, Column]) -> Column:
    import numpy as np

    bridged = np.zeros(len(seen.ids), np.float32)
    if not seen.ids:
        return bridged
    store, owner, query = finding.store, finding.query.scope.owner, finding.query
    best = int(np.argmax(found["vector"] + found["words"]))
    (terms,) = store.terms(owner, [seen.ids[best]]).values() or ((),)
    said = beyond(terms, {*query.terms, *query.weak})
    if said and (left_open := 1.0 - float(found["covered"][best])) > 0:
        shared = store.sharing(owner, seen.ids, said)
        bridged[:] = bridge(said, [shared.get(id, frozenset()) for id in seen.ids], best, left_open)
    return bridged


def examined(finding: Finding, ids: Sequence[str]) -> Examined:
    """These memories beside the question."""
    if finding.seen is not None and set(ids) <= set(finding.seen.ids):
        return finding.seen.of(ids)
    search, query = finding.search(), finding.query
    probe = Probe(
        terms=telling(query),
        weights=weights(search),
        language=query.language,
        vector=search.vector,
        model=search.model,
        lens=search.lens,
    )
    return finding.store.examine(query.scope, ids, probe)


def read(finding: Finding) -> Finding:
    """Has the best read beside the question, where no other judge of them is configured and they may answer at all."""
    settings, found = finding.settings.recall, finding.candidates
    silent = finding.silent or _lacks(finding, found)
    odds = _odds(finding, 0, settings.read) if not finding.parts and not silent and _reads(finding) else []
    if odds:
        odds += _odds(finding, len(odds), _to_read(finding, max(odds)) - len(odds))
        odds = read_again(finding.reader, finding.query.text, found, odds, _beside(finding))
        found = tuple(ordered(found, odds, settings.weight_read))
    left = answering(found, finding.spare - finding.known)
    if finding.known and not finding.parts:
        left = tuple(put_first(left, finding.known))
    return replace(finding, candidates=left, silent=silent)


def _beside(finding: Finding) -> Beside:
    """Finds what was said in the same breath, as of the time that is asked about."""
    scope = finding.query.scope
    return partial(said_with, finding.store, Scope(owner=scope.owner, as_of=scope.as_of))


def _to_read(finding: Finding, best: float) -> int:
    """How many are read: as many as are asked for, all that may be where the ``best`` of the first does not answer; as
    many again where more are asked for and may answer together."""
    settings, wanted = finding.settings.recall, finding.top_k
    most = settings.read + settings.read_further
    several = wanted if finding.query.many and wanted > settings.read else 0
    return several + (most if best < ANSWERED else min(wanted, most))


def _lacks(finding: Finding, among: Sequence[Candidate]) -> bool:
    """Whether an attribute is asked for that none of these tells, and silence is wanted then."""
    wanted = finding.settings.recall.strictness and not finding.parts and not finding.known
    return bool(wanted and among and untold(finding.query, [one.memory for one in among]))


def _odds(finding: Finding, since: int, most: int) -> list[float]:
    """Of so many candidates, from the one at ``since`` on, the log-odds that each answers; none where one of them is
    not to be read."""
    some = finding.candidates[since : since + most]
    if not some or not all(is_told(one.memory) for one in some):
        return []
    return answers(finding.reader, finding.query.text, some) or []


def _reads(finding: Finding) -> bool:
    """Whether the best may be read: there is what reads, and no slower judge."""
    return finding.settings.recall.read > 0 and finding.reranker is None and isinstance(finding.reader, Discerning)


def rerank(finding: Finding) -> Finding:
    """Lets a slower judge order the best, where there is one and it is quick enough."""
    best = finding.candidates[: finding.settings.recall.reranked]
    if finding.reranker is None or finding.silent or not best:
        return finding
    scores, problem = finding.reranker.scores(finding.query.text, [one.memory.content for one in best])
    if scores is None:
        return replace(finding, warnings=(*finding.warnings, problem))
    return replace(finding, candidates=tuple(reranked(finding.candidates, scores)))


def vary(finding: Finding) -> Finding:
    """Puts what repeats a better one later; drops nothing."""
    settings, top = finding.settings.recall, finding.top_k + WEIGHED_MORE
    if not settings.weight_repeats or finding.vector is None or len(finding.candidates) < 2:
        return finding
    seen = examined(finding, [one.memory.id for one in finding.candidates[:top]])
    if len(seen.ids) < min(top, len(finding.candidates)):
        return finding  # Another process took one away meanwhile.
    varied = diversify(
        finding.candidates, seen.vectors, top=top, weight=settings.weight_repeats, since=settings.repeats_from
    )
    return replace(finding, candidates=tuple(varied))


def judge(finding: Finding) -> Finding:
    """Falls silent where the best of what was found is unlikely to answer (SPEC R2), or asks for an attribute that
    none of it tells; never about an attribute of the user that a memory fills in, nor where the message names what
    is known and asks nothing that a memory could answer."""
    risk = finding.settings.recall.strictness
    if finding.parts or finding.silent or finding.known or not risk or not finding.candidates:
        return finding
    if _lacks(finding, finding.candidates[:NEAR]):
        return replace(finding, silent=True)
    best = finding.candidates[:BEST]
    if any(path.path == "fields" and path.rank and path.score >= FILLED for one in best for path in one.paths):
        return finding
    gives = partial(gives_form, finding.query)
    was_read = any(FACTOR in one.factors for one in finding.candidates)
    stands, model = standing(finding.rankings), confidence(finding.card.id if finding.card else None, read=was_read)
    if model is None or max(stands.words.count, stands.vector.count) < finding.settings.recall.few:
        return replace(finding, silent=unanswered(finding.candidates, gives))
    seen = examined(finding, [one.memory.id for one in best])
    share = model.share(measured(finding.query, finding.candidates, seen, stands))
    return replace(finding, silent=share < model.point(risk) or unanswered(finding.candidates, gives))


def renew(finding: Finding) -> Finding:
    """Puts the newer value in front of what it probably took the place of; where now is asked about, that is marked."""
    query, now = finding.query, asks_for_now(finding.query)
    if finding.silent or not (now or asks_for_last(query)):
        return finding
    found = _outlived(finding)
    top = finding.candidates[: finding.top_k + WEIGHED_MORE]
    linked = overtaken([one.memory for one in top], query.scope, finding.store) if now else {}
    left = doubted(finding.reader, query, top[: finding.top_k], linked, _beside(finding)) if linked else {}
    over = {**found.over, **left} if now else {}
    behind = {**found.behind, **found.over}
    remarks = _remarks(finding, over) if now and query.scope.as_of is None else frozenset()
    if not over and not behind:
        return replace(finding, remarks=remarks)
    ordered = newest_first(finding.candidates, over, query.scope, behind=behind)
    return replace(finding, candidates=tuple(ordered), remarks=remarks)


def _remarks(finding: Finding, over: Mapping[str, MemoryEntry]) -> frozenset[str]:
    """Of what may be shown and was read: what was said beside a statement that is over, and does not answer."""
    read = [one for one in finding.candidates[: finding.top_k] if FACTOR in one.factors]
    idle = [one.memory for one in read if odds_of(one) < ANSWERED and one.memory.id not in over]
    said = said_with(finding.store, Scope(owner=finding.query.scope.owner, validity=None), idle)
    return outlasting(idle, said, over)


def _outlived(finding: Finding) -> Outlived:
    """What may be shown and is over, for each question that is asked."""
    asked = [part for part in finding.parts if not part.silent] or [finding]
    found = [outlived(one.reader, one.query, one.candidates, one.top_k, _beside(finding)) for one in asked]
    return Outlived(
        over={id: new for one in found for id, new in one.over.items()},
        behind={id: new for one in found for id, new in one.behind.items()},
    )


def cut(finding: Finding) -> Finding:
    """Keeps the best and says why each came."""
    few = finding.top_k if is_bare(finding.query) else finding.settings.recall.read
    standing = without(finding.candidates, finding.remarks - finding.known)
    best = () if finding.silent else shown(standing, finding.top_k, few=few, known=finding.known)
    return replace(
        finding,
        hits=tuple(
            Hit(
                memory=one.memory,
                rank=place,
                score=one.score,
                paths=one.paths,
                factors=one.factors,
                why=sentence(finding.query, one),
                newer=one.newer,
            )
            for place, one in enumerate(best, 1)
        ),
    )


STAGES: tuple[Callable[[Finding], Finding], ...] = (search, order, read, rerank, vary, judge, renew, cut)


def follow(finding: Finding) -> tuple[Mapping[str, Finding], Mapping[str, float]]:
    """What each stage passes on, by its name and in order, and how many milliseconds it took."""
    followed: dict[str, Finding] = {}
    took: dict[str, float] = {}
    for stage in STAGES:
        before = time.perf_counter()
        finding = followed[stage.__name__] = stage(finding)
        took[stage.__name__] = (time.perf_counter() - before) * 1000
    return followed, took
