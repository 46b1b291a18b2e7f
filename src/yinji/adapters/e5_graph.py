"""The transformer of multilingual-e5-small as an int8 ONNX graph for onnxruntime.

In: ``embeds`` float32 (batch, tokens, hidden), word + position + type embeddings; ``mask`` int32 (batch,
tokens), 1 for a token. Out: ``mean`` float32 (batch, hidden), the mean over the tokens, not normalised.

Why it looks as it does (measurements in docs/decisions/0001-embedder.md):

- Activations are quantised per token. Per tensor, as ``quantize_dynamic`` does it, a text's vector moves by
  up to 0.005 in cosine with what it is batched with; per token it does not move, and is four times closer to
  the unquantised model, at the price of an eighth of the speed.
- Weights take 7 of 8 bits, symmetric, one scale per channel: x86 processors without VNNI add pairs of
  products in 16 bits, which 8-bit weights overflow.
- Norms are ``Add`` and ``LayerNormalization``, and the session must not fuse them: on the CPU the fused
  ``SkipLayerNormalization`` takes five times as long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.adapters.e5_weights import Weights

_MICROSOFT = "com.microsoft"
_OPSET = 18
_IR = 9
_WEIGHT_MAX = 63
_ACTIVATION_MAX = 127
_ACTIVATION_ZERO = 128


Changes: TypeAlias = "Mapping[str, NDArray[np.float32]]"
"""Tensor → what is added to its weights, shape (out, in)."""


def graph(weights: Weights) -> bytes:
    """The serialised ONNX model. Needs the ``onnx`` package, and a second of one core."""
    network = _Network(weights, {})
    network.mean(network.layers())
    return network.model("mean", ["batch"])


def tuned_graph(weights: Weights, changes: Changes) -> bytes:
    """The same with some weights changed. Out: ``states`` (batch, tokens, hidden), what it makes of every token."""
    network = _Network(weights, changes)
    network.node("Identity", network.layers(), names=("states",))
    return network.model("states", ["batch", "tokens"])


class _Network:
    """Collects nodes and constants; each method returns the name of what it computed."""

    def __init__(self, weights: Weights, changes: Changes) -> None:
        import numpy as np

        self._weights = weights
        self._changes = changes
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._last = self.constant(np.array([-1], dtype=np.int64))
        self._tokens = self.constant(np.array([1], dtype=np.int64))
        self._feature = self.constant(np.array([2], dtype=np.int64))
        self._one = self.constant(np.array(1, dtype=np.float32))
        self._step = self.constant(np.array(1 / _ACTIVATION_MAX, dtype=np.float32))
        self._zero = self.constant(np.array(_ACTIVATION_ZERO, dtype=np.uint8))
        self._thirds = self.constant(np.full(3, weights.sizes.hidden, dtype=np.int64))

    def layers(self) -> str:
        """All of them, from the embeddings on."""
        state = self.normalised("embeds", "emb.ln")
        for index in range(self._weights.sizes.layers):
            state = self.layer(index, state)
        return state

    def layer(self, index: int, state: str) -> str:
        """One block: attention, then the feed-forward network, each added to its input and normalised."""
        attended = self.node(
            "MultiHeadAttention",
            *self._query_key_value(index, state),
            "mask",
            domain=_MICROSOFT,
            num_heads=self._weights.sizes.heads,
        )
        hidden, inner = self._weights.sizes.hidden, self._weights.sizes.inner
        state = self._added(self.product(attended, hidden, f"l{index}.ao.w"), state, f"l{index}.ao.b", f"l{index}.aln")
        bent = self.node(
            "BiasGelu", self.product(state, hidden, f"l{index}.fi.w"), self.floats(f"l{index}.fi.b"), domain=_MICROSOFT
        )
        return self._added(self.product(bent, inner, f"l{index}.fo.w"), state, f"l{index}.fo.b", f"l{index}.oln")

    def mean(self, state: str) -> None:
        """Over the tokens that are not padding."""
        mask = self.node("Unsqueeze", self.node("Cast", "mask", to=self._onnx().TensorProto.FLOAT), self._feature)
        total = self.node("ReduceSum", self.node("Mul", state, mask), self._tokens, keepdims=0)
        self.node("Div", total, self.node("ReduceSum", mask, self._tokens, keepdims=0), names=("mean",))

    def normalised(self, state: str, norm: str) -> str:
        scale, shift = self.floats(f"{norm}.w"), self.floats(f"{norm}.b")
        return self.node("LayerNormalization", state, scale, shift, axis=-1, epsilon=self._weights.sizes.epsilon)

    def product(self, state: str, width: int, *tensors: str) -> str:
        """``state`` times the named weights, side by side, with int8 arithmetic."""
        import numpy as np

        rows = np.concatenate([self._rows(name, width) for name in tensors])
        scales = np.maximum(np.abs(rows).max(axis=1), np.finfo(np.float32).tiny) / _WEIGHT_MAX
        whole = np.rint(rows / scales[:, None]).astype(np.int8)
        largest = self.node("ReduceMax", self.node("Abs", state), self._last, keepdims=1)
        step = self.node("Mul", largest, self._step)
        quantised = self.node("QuantizeLinear", self.node("Div", state, step), self._one, self._zero)
        multiplied = self.node(
            "MatMulIntegerToFloat",
            quantised,
            self.constant(whole.T),
            self._one,
            self.constant(scales.astype(np.float32)),
            self._zero,
            self.constant(np.zeros(len(rows), dtype=np.int8)),
            domain=_MICROSOFT,
        )
        return self.node("Mul", multiplied, step)

    def _rows(self, name: str, width: int) -> NDArray[np.float32]:
        from yinji.adapters.e5_weights import unpacked

        rows = unpacked(self._weights.rows(name, width))
        return rows + self._changes[name] if name in self._changes else rows

    def floats(self, name: str) -> str:
        return self.constant(self._weights.floats(name))

    def constant(self, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(values.copy(order="C"), name))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", names: Sequence[str] = (), **attributes: Any) -> str:
        outputs = list(names) or [f"n{len(self._nodes)}"]
        self._nodes.append(self._onnx().helper.make_node(operator, list(inputs), outputs, domain=domain, **attributes))
        return outputs[0]

    def model(self, output: str, axes: Sequence[str]) -> bytes:
        onnx = self._onnx()
        helper, kinds = onnx.helper, onnx.TensorProto
        hidden = self._weights.sizes.hidden
        body = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [
                helper.make_tensor_value_info("embeds", kinds.FLOAT, ["batch", "tokens", hidden]),
                helper.make_tensor_value_info("mask", kinds.INT32, ["batch", "tokens"]),
            ],
            [helper.make_tensor_value_info(output, kinds.FLOAT, [*axes, hidden])],
            self._constants,
        )
        imports = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_MICROSOFT, 1)]
        model: bytes = helper.make_model(body, opset_imports=imports, ir_version=_IR).SerializeToString()
        return model

    def _query_key_value(self, index: int, state: str) -> tuple[str, str, str, str]:
        """All three from one product, and their biases, which the attention node adds."""
        import numpy as np

        weights = [f"l{index}.{part}.w" for part in "qkv"]
        biases = np.concatenate([self._weights.floats(f"l{index}.{part}.b") for part in "qkv"])
        names = tuple(f"l{index}_{part}" for part in "qkv")
        product = self.product(state, self._weights.sizes.hidden, *weights)
        self.node("Split", product, self._thirds, names=names, axis=-1)
        return (*names, self.constant(biases))  # type: ignore[return-value]  # three parts, one bias

    def _added(self, change: str, state: str, bias: str, norm: str) -> str:
        return self.normalised(self.node("Add", self.node("Add", change, self.floats(bias)), state), norm)

    @staticmethod
    def _onnx() -> Any:
        import onnx

        return onnx
