"""The shipped model's layers in torch, frozen, with low-rank additions (LoRA, Hu et al. 2021) that learn.

In a layer that learns, each matrix gets an addition of rank ``RANK``, and biases and layer norms learn, too. Embeddings are taken
from the engine's own reader of the weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from search_core.embedding.e5.weights_file import WeightsFile

RANK = 16
MATRICES = ("q", "k", "v", "ao", "fi", "fo")
NORMS = ("aln", "oln")
FACTOR = 2.0
"""By what an addition is multiplied; merged into the weights when they are written."""
HALF = torch.bfloat16


class Layer(nn.Module):
    """One layer of BERT with additions to its six matrices, which learn if it *learns*."""

    def __init__(self, weights: WeightsFile, number: int, dtype: torch.dtype, *, learns: bool) -> None:
        super().__init__()
        sizes = weights.sizes
        self._heads, self._width, self._epsilon, self._dtype = sizes.heads, sizes.hidden, sizes.epsilon, dtype
        shapes = {**dict.fromkeys(MATRICES, (sizes.hidden, sizes.hidden)), "fi": (sizes.inner, sizes.hidden)}
        shapes["fo"] = (sizes.hidden, sizes.inner)
        self.values = nn.ParameterDict()
        self.learns = learns
        for name, (rows, columns) in shapes.items():
            matrix = torch.from_numpy(weights.matrix(f"l{number}.{name}.w", rows, columns))
            self.register_buffer(f"base_{name}", matrix.to(dtype), persistent=False)
            self.values[f"{name}_down"] = nn.Parameter(torch.randn(RANK, columns) / columns**0.5)
            self.values[f"{name}_up"] = nn.Parameter(torch.zeros(rows, RANK))
            self.values[f"{name}_b"] = nn.Parameter(torch.from_numpy(weights.floats(f"l{number}.{name}.b")))
        for name in NORMS:
            for kind in "wb":
                self.values[f"{name}_{kind}"] = nn.Parameter(torch.from_numpy(weights.floats(f"l{number}.{name}.{kind}")))
        self.requires_grad_(learns)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the states behind this layer; *mask* ``(pairs, 1, 1, tokens)`` says which places hold a token."""
        count, tokens, _ = states.shape
        parts = [self._linear(states, name).view(count, tokens, self._heads, -1).transpose(1, 2) for name in ("q", "k", "v")]
        asked, offered, carried = parts  # the fused attention takes three times as long in 16 bits, most of it on the way back
        scores = (asked @ offered.transpose(-1, -2)).float() * asked.shape[-1] ** -0.5
        mixed = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1).to(self._dtype) @ carried
        mixed = self._linear(mixed.transpose(1, 2).reshape(count, tokens, self._width), "ao")
        states = self._norm(states + mixed, "aln")
        inner = self._linear(functional.gelu(self._linear(states, "fi")), "fo")
        return self._norm(states + inner, "oln")

    def _linear(self, states: Tensor, name: str) -> Tensor:
        values, kind = self.values, self._dtype
        base = functional.linear(states, getattr(self, f"base_{name}"), values[f"{name}_b"].to(kind))
        if not self.learns:
            return base
        low = functional.linear(states, values[f"{name}_down"].to(kind))
        return torch.add(base, functional.linear(low, values[f"{name}_up"].to(kind)), alpha=FACTOR)

    def _norm(self, states: Tensor, name: str) -> Tensor:
        factors, bias = (self.values[f"{name}_{kind}"].to(self._dtype) for kind in "wb")
        return functional.layer_norm(states, (self._width,), factors, bias, self._epsilon)


def additions_of(layers: Iterable[tuple[int, Layer]]) -> dict[str, Any]:
    """Return what numbered *layers* have learnt by name: additions as ``up`` and ``down``, biases and norms as they now are."""
    found: dict[str, Any] = {}
    for number, layer in layers:
        for name, value in layer.values.items():
            part, kind = name.rsplit("_", 1)
            found[f"l{number}.{part}.{kind}"] = (value.detach() * (FACTOR if kind == "up" else 1.0)).numpy()
    return found


def go_on_from(layers: Iterable[tuple[int, Layer]], learnt: Mapping[str, Any]) -> None:
    """Give numbered *layers* what ``additions_of`` returned, where *learnt* holds it."""
    for number, layer in layers:
        for name, value in layer.values.items():
            part, kind = name.rsplit("_", 1)
            found = learnt.get(f"l{number}.{part}.{kind}")
            if found is not None:
                value.data.copy_(torch.from_numpy(found.astype("float32")) / (FACTOR if kind == "up" else 1.0))


def parameters_of(
    layers: Iterable[Layer], head: Iterable[nn.Parameter], rates: tuple[float, float, float]
) -> list[dict[str, Any]]:
    """Return groups of an optimizer: additions, biases and norms, the *head*, each with its rate."""
    items = [item for layer in layers for item in layer.values.items()]
    low = [value for name, value in items if name.endswith(("_up", "_down"))]
    plain = [value for name, value in items if not name.endswith(("_up", "_down"))]
    decays = (0.01, 0.0, 0.01)
    return [
        {"params": params, "rate": rate, "lr": rate, "weight_decay": decay}
        for params, rate, decay in zip((low, plain, [*head]), rates, decays, strict=True)
    ]
