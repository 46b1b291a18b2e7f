from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recall.test_diversify import candidate
from tests.recall.test_rank import LIFE_EN, LIFE_ZH
from yinji import Memory, Settings
from yinji.errors import ModelUnavailable
from yinji.recall.rerank import FAILED, LATE, Timed, reranked


class Judge:
    """Finds long texts best; waits until it may go on."""

    name = "judge"

    def __init__(self, *, problem: str = "", waits: bool = False) -> None:
        self.may_go_on = threading.Event()
        self.asked = 0
        self._problem = problem
        if not waits:
            self.may_go_on.set()

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked += 1
        self.may_go_on.wait(5)
        if self._problem:
            raise ModelUnavailable(model=self.name, problem=self._problem)
        return [float(len(text)) for text in texts]


@pytest.mark.req("R6")
@settings(deadline=None)
@given(st.lists(st.floats(-3, 3, width=16), max_size=8), st.data())
def test_nothing_is_dropped_and_factors_still_add_up(scores: list[float], data: st.DataObject) -> None:
    candidates = [candidate(number, score) for number, score in enumerate(sorted(scores, reverse=True))]
    judged = data.draw(st.lists(st.floats(-9, 9), max_size=len(scores)))
    found = reranked(candidates, judged)
    assert sorted(one.memory.id for one in found) == sorted(one.memory.id for one in candidates)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(one.score == pytest.approx(sum(one.factors.values())) for one in found)


@pytest.mark.req("R6", "R12")
def test_a_reranker_that_is_late_is_skipped_and_not_asked_again_while_it_runs() -> None:
    judge = Judge(waits=True)
    timed = Timed(judge, seconds=0.01)
    assert timed.scores("q", ["a"]) == (None, LATE)
    assert timed.scores("q", ["a"]) == (None, LATE)
    assert judge.asked == 1
    judge.may_go_on.set()
    timed.close()


@pytest.mark.req("R6", "R12")
def test_a_reranker_that_cannot_run_says_why() -> None:
    timed = Timed(Judge(problem="no file"), seconds=5)
    scores, told = timed.scores("q", ["a"])
    assert scores is None
    assert told.startswith(FAILED)
    assert "no file" in told
    timed.close()


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("life", "asked"), [(LIFE_ZH, "用户的猫叫年糕吗？"), (LIFE_EN, "What about the user's sister?")]
)
def test_the_reranker_orders_the_answer_and_says_so(
    life: list[str], asked: str, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.import_([{"content": one} for one in life])
    plain = memory.recall(asked, top_k=3)
    monkeypatch.setattr(memory, "_reranker", Timed(Judge(), seconds=5))
    found = memory.recall(asked + " ?", top_k=3)
    assert len(found) == len(plain)
    assert [len(hit.memory.content) for hit in found] == sorted((len(h.memory.content) for h in found), reverse=True)
    assert found[0].factors["reranker"] > 0
    assert found.warnings == ()


def tiny(folder: Path) -> Path:
    """A cross-encoder whose score is how many tokens of a pair are not padding."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("tokenizers")
    ints, floats = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    axes = onnx.helper.make_tensor("axes", ints, [1], [1])
    nodes = [
        onnx.helper.make_node("Cast", ["attention_mask"], ["mask"], to=floats),
        onnx.helper.make_node("ReduceSum", ["mask", "axes"], ["logits"], keepdims=1),
    ]
    inputs = [onnx.helper.make_tensor_value_info("attention_mask", ints, ["texts", "tokens"])]
    outputs = [onnx.helper.make_tensor_value_info("logits", floats, ["texts", 1])]
    graph = onnx.helper.make_graph(nodes, "tiny", inputs, outputs, [axes])
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"},
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return folder


@pytest.mark.req("R6", "D2")
def test_a_cross_encoder_is_read_from_a_folder(tmp_path: Path) -> None:
    from yinji.adapters.cross_encoder import CrossEncoder

    encoder = CrossEncoder(tiny(tmp_path), threads=1)
    assert encoder.score("two words", ["one", "and two more", ""]) == [3, 5, 2]
    assert encoder.score("two words", []) == []


@pytest.mark.req("R6", "R12")
def test_a_folder_without_a_model_leaves_the_ranker_as_it_was_and_warns(
    tmp_path: Path, open_memory: Callable[..., Memory], hashing: Settings
) -> None:
    values = {"reranker": str(tmp_path / "none"), "rerank_ms": 60000}
    memory = open_memory(settings=hashing.with_values("recall", values))
    memory.import_([{"content": one} for one in LIFE_ZH])
    found = memory.recall("我的猫年糕几岁")
    assert found[0].memory.content == LIFE_ZH[4]
    assert found.warnings[0].startswith(FAILED)
