"""multilingual-e5-small with small changes of all its layers that can be learned, and the heads above them, in PyTorch.

A change is low-rank, W + A B (LoRA, Hu et al. 2021, arXiv:2106.09685), and is added to the weights before they are
used: a batch has more tokens than the weights have rows. Products are taken in bfloat16; weights, changes and what
the heads read are in single precision.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from yinji.adapters import e5_pointing
from yinji.adapters.e5_tuned import LOUDNESS, SHARPNESS
from yinji.adapters.e5_weights import Weights, unpacked

RANK = 16
WIDE = 128
"""Hidden units of what scores phrases."""
CALM = math.sqrt(WIDE)
"""By which the product of a phrase's two ends is divided, as long as it is learned; shipped weights are divided."""
DROPPED, DROPPED_BELOW = 0.1, 0.05
"""Share of what a head reads, and of what each layer adds, that is left out in training."""
NEVER = -1e9


class Net(nn.Module):
    """What the layers make of texts, and the heads by name."""

    def __init__(self, weights: Weights, heads: Mapping[str, int]) -> None:
        super().__init__()
        hidden = weights.sizes.hidden
        self.opening = Norm(weights, "emb.ln")
        self.layers = nn.ModuleList(Layer(weights, layer) for layer in range(weights.sizes.layers))
        self.heads = nn.ModuleDict({name: Head(hidden, classes) for name, classes in heads.items()})
        self.point = Point(hidden)

    def states(self, embeds: Tensor, mask: Tensor) -> Tensor:
        """(texts, tokens, hidden) → the same after the last layer."""
        near = (1 - mask)[:, None, None] * -1e4
        state = self.opening(embeds)
        for layer in self.layers:
            state = layer(state, near)
        return state.float()

    def arrays(self) -> dict[str, Tensor]:
        """What is learned, as the runtime names it; changing one of these in place changes the net."""
        told = {name: value for layer in self.layers for name, value in layer.changes()}
        for name, head in (*self.heads.items(), ("point", self.point)):
            told |= {f"{name}.{of}": value.data for of, value in head.named_parameters()}
        return told


class Layer(nn.Module):
    def __init__(self, weights: Weights, layer: int) -> None:
        super().__init__()
        sizes = weights.sizes
        self.attention_heads = sizes.heads
        self.looking = Product(weights, layer, ("q", "k", "v"), sizes.hidden)
        self.looked, self.inner = (Product(weights, layer, (part,), sizes.hidden) for part in ("ao", "fi"))
        self.outer = Product(weights, layer, ("fo",), sizes.inner)
        self.looked_norm, self.outer_norm = (Norm(weights, f"l{layer}.{norm}") for norm in ("aln", "oln"))

    def forward(self, x: Tensor, near: Tensor) -> Tensor:
        """``near`` (texts, 1, 1, tokens) is added to how much is looked at each token."""
        texts, tokens, hidden = x.shape
        width = hidden // self.attention_heads
        split = self.looking(x).view(texts, tokens, 3, self.attention_heads, width)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        scores = (query @ key.transpose(-1, -2)).float() / math.sqrt(width) + near
        looked = (torch.softmax(scores, -1).bfloat16() @ value).transpose(1, 2).reshape(texts, tokens, hidden)
        x = self.looked_norm(self._some(self.looked(looked)) + x)
        return self.outer_norm(self._some(self.outer(functional.gelu(self.inner(x)))) + x)

    def changes(self) -> list[tuple[str, Tensor]]:
        return [one for part in (self.looking, self.looked, self.inner, self.outer) for one in part.changes()]

    def _some(self, x: Tensor) -> Tensor:
        return functional.dropout(x, DROPPED_BELOW, self.training)


class Product(nn.Module):
    """One input times several weights of a layer, side by side, each with a change of its own."""

    def __init__(self, weights: Weights, layer: int, parts: Sequence[str], width: int) -> None:
        super().__init__()
        self.names = [f"l{layer}.{part}.w" for part in parts]
        told = [unpacked(weights.rows(name, width)).astype(np.float32) for name in self.names]
        biases = [weights.floats(f"l{layer}.{part}.b") for part in parts]
        self.register_buffer("weights", torch.tensor(np.concatenate(told)))
        self.register_buffer("bias", torch.tensor(np.concatenate(biases)).bfloat16())
        self.down = nn.ParameterList(torch.randn(width, RANK) / math.sqrt(width) for _ in parts)
        self.up = nn.ParameterList(torch.zeros(RANK, len(one)) for one in told)

    def forward(self, x: Tensor) -> Tensor:
        change = torch.cat([(down @ up).T for down, up in zip(self.down, self.up, strict=True)])
        return functional.linear(x, (self.weights + change).bfloat16(), self.bias)

    def changes(self) -> list[tuple[str, Tensor]]:
        each = {"down": self.down, "up": self.up}
        return [
            (f"{name}.{of}", value.data)
            for of, own in each.items()
            for name, value in zip(self.names, own, strict=True)
        ]


class Norm(nn.Module):
    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.epsilon = weights.sizes.epsilon
        self.register_buffer("weights", torch.tensor(weights.floats(f"{name}.w")))
        self.register_buffer("bias", torch.tensor(weights.floats(f"{name}.b")))

    def forward(self, x: Tensor) -> Tensor:
        return functional.layer_norm(x.float(), x.shape[-1:], self.weights, self.bias, self.epsilon).bfloat16()


class Head(nn.Module):
    """As ``e5_tuned.scored``; it scores everything alike at first."""

    def __init__(self, hidden: int, classes: int) -> None:
        super().__init__()
        self.look = nn.Parameter(torch.zeros(hidden))
        self.weights = nn.Parameter(torch.zeros(hidden, classes))
        self.bias = nn.Parameter(torch.zeros(classes))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(texts, classes)."""
        attention = torch.softmax(x @ self.look * SHARPNESS + (1 - mask) * NEVER, -1)
        looked = torch.einsum("bt,btd->bd", attention, x) * LOUDNESS
        return functional.dropout(looked, DROPPED, self.training) @ self.weights + self.bias


class Point(nn.Module):
    """As ``e5_pointing.pointed``; every phrase, and nothing, is alike at first."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        for side in ("start", "end", "nothing"):
            self.register_parameter(side, _random(hidden, hidden, WIDE))
            self.register_parameter(f"{side}_bias", _random(hidden, WIDE))
            self.register_parameter(f"{side}_weights", nn.Parameter(torch.zeros(WIDE)))
        self.start_asked, self.end_asked = (_random(hidden, hidden, WIDE) for _ in range(2))
        self.both = nn.Parameter(torch.zeros(WIDE, WIDE))
        self.nothing_offset = nn.Parameter(torch.zeros(()))

    def forward(self, x: Tensor, asked: Tensor, possible: Tensor) -> Tensor:
        """Log chances (texts, tokens * tokens + 1) of each first and last token, and of nothing.

        ``asked`` (texts, tokens): shares of the pronoun; ``possible`` (texts, tokens, tokens): whether it is a phrase.
        """
        loud = x * e5_pointing.LOUDNESS
        own = torch.einsum("bt,btd->bd", asked, loud)
        starts = _bent(loud @ self.start + (own @ self.start_asked)[:, None] + self.start_bias)
        ends = _bent(loud @ self.end + (own @ self.end_asked)[:, None] + self.end_bias)
        scores = (starts @ self.start_weights)[:, :, None] + (ends @ self.end_weights)[:, None]
        scores = scores + (starts @ self.both) @ ends.transpose(1, 2) / CALM
        nothing = _bent(own @ self.nothing + self.nothing_bias) @ self.nothing_weights + self.nothing_offset
        phrases = torch.where(possible, scores, torch.full_like(scores, NEVER)).flatten(1)
        return torch.log_softmax(torch.cat([phrases, nothing[:, None]], 1), -1)


def _random(inputs: int, *shape: int) -> nn.Parameter:
    return nn.Parameter((torch.rand(*shape) * 2 - 1) / math.sqrt(inputs))


def _bent(x: Tensor) -> Tensor:
    return functional.gelu(x, approximate="tanh")


def shipped(net: Net, heads: Sequence[str]) -> dict[str, np.ndarray]:
    """The changes and these heads in half precision: the graph has seven bits."""
    others = {*net.heads, "point"} - {*heads}
    told = {name: value for name, value in net.arrays().items() if name.partition(".")[0] not in others}
    if "point.both" in told:
        told["point.both"] = told["point.both"] / CALM
    return {name: value.numpy().astype(np.float16) for name, value in told.items()}


def take(net: Net, told: Mapping[str, np.ndarray]) -> None:
    """Go on from weights as :func:`shipped` told them; heads that are not among them begin anew."""
    for name, value in net.arrays().items():
        if name in told:
            value.copy_(torch.tensor(told[name], dtype=torch.float32) * (CALM if name == "point.both" else 1))
