"""The entailment model while it learns: the shipped model with low-rank additions.

The layers below ``FROZEN`` stay as they are: that takes a third off the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from search_core.embedding.e5.weights_file import WeightsFile
from tests.quality.low_rank_layers import FACTOR, HALF, Layer, additions_of, parameters_of

FROZEN = 4
CLASSES = 3


class EntailmentNetwork(nn.Module):
    """Reads pairs: layers, the mean of their last states, a tanh layer, three classes."""

    def __init__(self, weights: WeightsFile, *, dtype: torch.dtype = HALF) -> None:
        """Take the shipped model's *weights*; *dtype* is what layers compute in."""
        super().__init__()
        self.dtype = dtype
        sizes = weights.sizes
        self.layers = nn.ModuleList(Layer(weights, number, dtype, learns=number >= FROZEN) for number in range(sizes.layers))
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
                    value.data.copy_(torch.from_numpy(found / (FACTOR if kind == "up" else 1.0)))
        for name in ("dense", "classes"):
            linear = getattr(self, name)
            linear.weight.data.copy_(torch.from_numpy(learnt[f"{name}.w"]))
            linear.bias.data.copy_(torch.from_numpy(learnt[f"{name}.b"]))

    def learnt(self) -> dict[str, Any]:
        """Return what was learnt by name."""
        found = additions_of(enumerate(self.layers[FROZEN:], FROZEN))
        for name in ("dense", "classes"):
            linear = getattr(self, name)
            found |= {f"{name}.w": linear.weight.detach().numpy(), f"{name}.b": linear.bias.detach().numpy()}
        return found

    def parameters_at(self, rates: tuple[float, float, float]) -> list[dict[str, Any]]:
        """Return groups of an optimizer, each with its rate."""
        return parameters_of(self.layers[FROZEN:], [*self.dense.parameters(), *self.classes.parameters()], rates)


def padded(rows: Sequence[np.ndarray[Any, Any]]) -> tuple[Tensor, Tensor]:
    """Return rows of states ``(tokens, width)`` as one tensor, and which places of it are filled."""
    longest = max(map(len, rows))
    states = np.zeros((len(rows), longest, rows[0].shape[1]), dtype=rows[0].dtype)
    mask = np.zeros((len(rows), longest), dtype=bool)
    for place, row in enumerate(rows):
        states[place, : len(row)], mask[place, : len(row)] = row, True
    return torch.from_numpy(states), torch.from_numpy(mask)
