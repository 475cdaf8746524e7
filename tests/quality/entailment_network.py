"""The entailment model while it learns: the shipped model in torch, frozen, with low-rank additions (LoRA, Hu et al. 2021).

The layers below ``FROZEN`` stay as they are: that takes a third off the time. In the layers above, each matrix gets
an addition of rank ``RANK``, and biases and layer norms learn, too. Embeddings and the frozen layers are taken from the engine's
own reader of the weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from search_core.embedding.e5.weights_file import WeightsFile

RANK = 16
FROZEN = 4
CLASSES = 3
MATRICES = ("q", "k", "v", "ao", "fi", "fo")
NORMS = ("aln", "oln")
_FACTOR = 2.0
"""By what an addition is multiplied; merged into the weights when they are written."""
_HALF = torch.bfloat16


class Layer(nn.Module):
    """One layer of BERT with additions to its six matrices."""

    def __init__(self, weights: WeightsFile, number: int, dtype: torch.dtype) -> None:
        super().__init__()
        sizes = weights.sizes
        self._heads, self._width, self._epsilon, self._dtype = sizes.heads, sizes.hidden, sizes.epsilon, dtype
        shapes = {**dict.fromkeys(MATRICES, (sizes.hidden, sizes.hidden)), "fi": (sizes.inner, sizes.hidden)}
        shapes["fo"] = (sizes.hidden, sizes.inner)
        self.values = nn.ParameterDict()
        self.learns = number >= FROZEN
        for name, (rows, columns) in shapes.items():
            matrix = torch.from_numpy(weights.matrix(f"l{number}.{name}.w", rows, columns))
            self.register_buffer(f"base_{name}", matrix.to(dtype), persistent=False)
            self.values[f"{name}_down"] = nn.Parameter(torch.randn(RANK, columns) / columns**0.5)
            self.values[f"{name}_up"] = nn.Parameter(torch.zeros(rows, RANK))
            self.values[f"{name}_b"] = nn.Parameter(torch.from_numpy(weights.floats(f"l{number}.{name}.b")))
        for name in NORMS:
            for kind in "wb":
                self.values[f"{name}_{kind}"] = nn.Parameter(torch.from_numpy(weights.floats(f"l{number}.{name}.{kind}")))

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
        return torch.add(base, functional.linear(low, values[f"{name}_up"].to(kind)), alpha=_FACTOR)

    def _norm(self, states: Tensor, name: str) -> Tensor:
        factors, bias = (self.values[f"{name}_{kind}"].to(self._dtype) for kind in "wb")
        return functional.layer_norm(states, (self._width,), factors, bias, self._epsilon)


class EntailmentNetwork(nn.Module):
    """Reads pairs: layers, the mean of their last states, a tanh layer, three classes."""

    def __init__(self, weights: WeightsFile, *, dtype: torch.dtype = _HALF) -> None:
        """Take the shipped model's *weights*; *dtype* is what layers compute in."""
        super().__init__()
        self.dtype = dtype
        sizes = weights.sizes
        self.layers = nn.ModuleList(Layer(weights, number, dtype) for number in range(sizes.layers))
        for layer in self.layers[:FROZEN]:
            layer.requires_grad_(requires_grad=False)
        self.dense = nn.Linear(sizes.hidden, sizes.hidden)
        self.classes = nn.Linear(sizes.hidden, CLASSES)

    def below(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return what the frozen layers make of embeddings."""
        states = embedded.to(self.dtype)
        with torch.no_grad():
            for layer in self.layers[:FROZEN]:
                states = layer(states, mask[:, None, None])
        return states

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return ``(pairs, 3)`` logits from what the frozen layers gave; *mask* ``(pairs, tokens)``."""
        states = states.to(self.dtype)
        for layer in self.layers[FROZEN:]:
            states = layer(states, mask[:, None, None])
        held = mask[:, :, None]
        mean = (states.float() * held).sum(dim=1) / held.sum(dim=1)
        logits: Tensor = self.classes(torch.tanh(self.dense(mean)))
        return logits

    def take(self, learnt: Mapping[str, Any]) -> None:
        """Go on from what another run has learnt; what it left as it was stays so."""
        for number, layer in enumerate(self.layers[FROZEN:], FROZEN):
            for name, value in layer.values.items():
                part, kind = name.rsplit("_", 1)
                if (found := learnt.get(f"l{number}.{part}.{kind}")) is not None:
                    value.data.copy_(torch.from_numpy(found / (_FACTOR if kind == "up" else 1.0)))
        for name in ("dense", "classes"):
            linear = getattr(self, name)
            linear.weight.data.copy_(torch.from_numpy(learnt[f"{name}.w"]))
            linear.bias.data.copy_(torch.from_numpy(learnt[f"{name}.b"]))

    def learnt(self) -> dict[str, Any]:
        """Return what was learnt by name: additions as ``up`` and ``down``, biases and norms as they now are."""
        found: dict[str, Any] = {}
        for number, layer in enumerate(self.layers[FROZEN:], FROZEN):
            for name, value in layer.values.items():
                part, kind = name.rsplit("_", 1)
                factor = _FACTOR if kind == "up" else 1.0
                found[f"l{number}.{part}.{kind}"] = (value.detach() * factor).numpy()
        for name in ("dense", "classes"):
            linear = getattr(self, name)
            found |= {f"{name}.w": linear.weight.detach().numpy(), f"{name}.b": linear.bias.detach().numpy()}
        return found


def padded(rows: Sequence[np.ndarray[Any, Any]]) -> tuple[Tensor, Tensor]:
    """Return rows of states ``(tokens, width)`` as one tensor, and which places of it are filled."""
    longest = max(map(len, rows))
    states = np.zeros((len(rows), longest, rows[0].shape[1]), dtype=rows[0].dtype)
    mask = np.zeros((len(rows), longest), dtype=bool)
    for place, row in enumerate(rows):
        states[place, : len(row)], mask[place, : len(row)] = row, True
    return torch.from_numpy(states), torch.from_numpy(mask)


def parameters_of(network: EntailmentNetwork, rates: tuple[float, float, float]) -> Iterable[dict[str, Any]]:
    """Return groups of an optimizer: additions, biases and norms, the head, each with its rate."""
    layers = [item for layer in network.layers[FROZEN:] for item in layer.values.items()]
    low = [value for name, value in layers if name.endswith(("_up", "_down"))]
    plain = [value for name, value in layers if not name.endswith(("_up", "_down"))]
    head = [*network.dense.parameters(), *network.classes.parameters()]
    decays = (0.01, 0.0, 0.01)
    return [
        {"params": params, "rate": rate, "lr": rate, "weight_decay": decay}
        for params, rate, decay in zip((low, plain, head), rates, decays, strict=True)
    ]
