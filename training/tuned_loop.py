"""How the embedder's layers are opened to be changed, and how changes are learned: AdamW (Loshchilov and Hutter 2019),
slopes cut to length 1."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor
from tuned_feed import Reader
from tuned_net import Net, take

from yinji.adapters.catalogue import catalogue_row
from yinji.adapters.e5_weights import Weights, weights_path

WARM, LEAST = 100, 0.03
"""Steps until the rate is reached; and what share of it is left at the end."""

_Batch = TypeVar("_Batch")


def opened(heads: Mapping[str, int], earlier: Path | None) -> tuple[Net, Reader]:
    """The layers with these heads, as they were left in an earlier file, and what cuts texts into tokens for them."""
    row = catalogue_row("e5-small")
    path = weights_path(row.package, row.weights)
    if path is None:
        raise SystemExit(f"the package {row.package} is not installed")
    weights = Weights(path)
    net = Net(weights, heads)
    if earlier:
        take(net, np.load(earlier))
    return net, Reader(weights, row.query_prefix)


def learned(
    net: Net, epochs: Sequence[Sequence[_Batch]], losses: Callable[[_Batch], dict[str, Tensor]], rate: float
) -> Iterator[None]:
    """Stops after each epoch, to be looked at. ``losses``: by name, of a batch; their sum is made less."""
    whole = sum(map(len, epochs))
    params = list(net.parameters())
    adam = torch.optim.AdamW(params, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda done: min(1, (done + 1) / WARM) * max(LEAST, 1 - done / whole)
    )
    for number, batches in enumerate(epochs, 1):
        began, told = time.monotonic(), dict[str, list[float]]()
        for batch in batches:
            net.train()
            found = losses(batch)
            adam.zero_grad()
            torch.stack([*found.values()]).sum().backward()
            torch.nn.utils.clip_grad_norm_(params, 1.0)
            adam.step()
            pace.step()
            for name, value in found.items():
                told.setdefault(name, []).append(value.item())
        means = "  ".join(f"{name} {np.mean(each):.3f}" for name, each in told.items())
        print(f"epoch {number}: {len(batches)} steps, {time.monotonic() - began:.0f} s; loss {means}", flush=True)
        yield
