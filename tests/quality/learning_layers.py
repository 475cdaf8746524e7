"""The shipped model in torch while it learns: its matrices whole, or by low-rank additions (LoRA, Hu et al. 2021).

Embeddings stay as they are. What was learnt is written as additions of a low rank in 8 bits, as ``MergedWeights`` reads them; of
matrices that learnt whole the nearest addition of that rank is taken.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from search_core.models.embedding.e5.weights_file import Additions, Floats, WeightsFile, find_weights

NORMS = ("aln", "oln")
FACTOR = 2.0
"""By what an addition is multiplied while it learns; merged into it when it is written."""
FROZEN, RANK = 4, 16
"""Of a network that reads pairs: layers that stay as they are, and the rank of what is added to the others."""
RATE, RATE_OF_BIASES = 4e-4, 1e-4
"""Its highest rates, of what is added and of biases and norms."""
SEED = 25
"""What is drawn by chance in a step follows from it and the number of the step."""
CHECKPOINT_S = 120.0
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def learner_options(description: str | None, name: str, steps: int, target: Path) -> argparse.ArgumentParser:
    """Return the options of a learner of this *name*: for how many steps, with which checkpoint, and where to write."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--checkpoint", type=Path, default=Path(f"data/{name}.checkpoint"))
    parser.add_argument("--target", type=Path, default=target)
    return parser


def shipped_file() -> Path:
    """Return the file of the shipped model's weights, which a learner cannot do without."""
    file = find_weights()
    if file is None:
        raise SystemExit("The weights of the shipped model are not on this machine.")
    return file


class Learner:
    """Learns step by step, and goes on from a checkpoint."""

    def __init__(
        self,
        network: nn.Module,
        groups: list[dict[str, Any]],
        checkpoint: Path,
        steps: int,
        *,
        warm: int,
        falling: float,
    ) -> None:
        """Take the *groups* of an optimizer, each with its highest ``rate``.

        It is reached after *warm* steps, and lowered over the last ones, a share of *falling*.
        """
        self.network = network
        self._optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98))
        self._checkpoint, self._steps, self._warm, self._falling, self.step = checkpoint, steps, warm, falling, 0
        if checkpoint.exists():
            kept = torch.load(checkpoint, weights_only=True)
            self.network.load_state_dict(kept["network"])
            self._optimizer.load_state_dict(kept["optimizer"])
            self.step = kept["step"]

    def learn(self, loss_of: Callable[[random.Random], Tensor]) -> None:
        """Lower what *loss_of* gives, by gradients no longer than 1, until all steps are done."""
        saved = began = time.monotonic()
        losses: list[float] = []
        while self.step < self._steps:
            share = min(1.0, (self.step + 1) / self._warm, (self._steps - self.step) / (self._falling * self._steps))
            for group in self._optimizer.param_groups:
                group["lr"] = group["rate"] * share
            self._optimizer.zero_grad()
            loss = loss_of(random.Random(f"{SEED} {self.step}"))
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self._optimizer.step()
            self.step += 1
            losses.append(float(loss.detach()))
            if self.step % 100 == 0:
                print(f"{self.step:5d}  loss {np.mean(losses[-100:]):.4f}  {time.monotonic() - began:.0f} s", flush=True)
            if time.monotonic() - saved > CHECKPOINT_S or self.step == self._steps:
                self._save()
                saved = time.monotonic()

    def _save(self) -> None:
        part = self._checkpoint.with_suffix(".part")
        kept = {"network": self.network.state_dict(), "optimizer": self._optimizer.state_dict(), "step": self.step}
        torch.save(kept, part)
        part.replace(self._checkpoint)


class Matrix(nn.Module):
    """A matrix with its bias."""

    def __init__(self, matrix: Floats, bias: Floats, rank: int | None) -> None:
        """Learn an addition of a *rank*, or the whole matrix where that is None."""
        super().__init__()
        self.bias = nn.Parameter(torch.from_numpy(bias))
        self.register_buffer("_base", torch.from_numpy(matrix), persistent=False)
        rows, columns = matrix.shape
        self.whole = nn.Parameter(torch.from_numpy(matrix.copy())) if rank is None else None
        if rank is not None:
            self.up = nn.Parameter(torch.zeros(rows, rank))
            self.down = nn.Parameter(torch.randn(rank, columns) / columns**0.5)

    def forward(self, states: Tensor) -> Tensor:
        """Return the states behind it."""
        if self.whole is not None:
            return functional.linear(states, self.whole, self.bias)
        added = functional.linear(functional.linear(states, self.down), self.up)
        return functional.linear(states, self._base, self.bias) + FACTOR * added

    def take(self, up: Floats, down: Floats, bias: Floats) -> None:
        """Start from a learnt addition of the same rank."""
        for value, found in ((self.up, up / FACTOR), (self.down, down), (self.bias, bias)):
            value.data.copy_(torch.from_numpy(found))

    def addition(self, rank: int) -> tuple[Floats, Floats]:
        """Return what to add, as the two factors of a product, by no more than *rank* numbers of a row where all has learnt."""
        if self.whole is None:
            return (FACTOR * self.up).detach().cpu().numpy(), self.down.detach().cpu().numpy()
        left, sizes, right = np.linalg.svd((self.whole - self._base).detach().cpu().numpy(), full_matrices=False)
        roots = np.sqrt(sizes[:rank])
        return left[:, :rank] * roots, roots[:, None] * right[:rank]


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self, weights: WeightsFile, number: int, rank: int | None, dropped: float) -> None:
        super().__init__()
        sizes = weights.sizes
        shapes = dict.fromkeys(("q", "k", "v", "ao"), (sizes.hidden, sizes.hidden))
        shapes |= {"fi": (sizes.inner, sizes.hidden), "fo": (sizes.hidden, sizes.inner)}
        self._heads = sizes.heads
        self.matrices, self.norms, self.dropout = nn.ModuleDict(), nn.ModuleDict(), nn.Dropout(dropped)
        for name, shape in shapes.items():
            place = f"l{number}.{name}"
            self.matrices[name] = Matrix(weights.matrix(f"{place}.w", *shape), weights.floats(f"{place}.b"), rank)
        for name in NORMS:
            norm = self.norms[name] = nn.LayerNorm(sizes.hidden, eps=sizes.epsilon)
            norm.weight.data, norm.bias.data = (torch.from_numpy(weights.floats(f"l{number}.{name}.{kind}")) for kind in "wb")

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the states behind this layer; *mask* ``(texts, tokens)`` says which places hold a token."""
        count, tokens, width = states.shape
        parts = (self.matrices[name](states).view(count, tokens, self._heads, -1).transpose(1, 2) for name in "qkv")
        with torch.autocast(states.device.type, enabled=False):  # in 16 bits it takes three times as long on processors
            mixed = functional.scaled_dot_product_attention(*(part.float() for part in parts), attn_mask=mask[:, None, None])
        attended = self.matrices["ao"](mixed.transpose(1, 2).reshape(count, tokens, width))
        states = self.norms["aln"](states + self.dropout(attended))
        inner = self.matrices["fo"](functional.gelu(self.matrices["fi"](states)))
        found: Tensor = self.norms["oln"](states + self.dropout(inner))
        return found


class LowerLayers(nn.Module):
    """The lowest layers of the model over its embeddings."""

    def __init__(
        self, weights: WeightsFile, count: int, *, rank: int | None = None, frozen: int = 0, dropped: float = 0.0
    ) -> None:
        """Take the lowest *count* layers of *weights*; of these the lowest *frozen* do not learn.

        Others learn additions of a *rank*, or whole where that is None; *dropped* is the share of states left out meanwhile.
        """
        super().__init__()
        sizes, floats = weights.sizes, weights.floats
        places = floats("emb.pos").reshape(sizes.positions, sizes.hidden) + floats("emb.type")[: sizes.hidden]
        fixed = {"_rows": weights.matrix("emb.word", sizes.vocabulary, sizes.hidden), "_places": places}
        for name, values in (fixed | {"_factors": floats("emb.ln.w"), "_bias": floats("emb.ln.b")}).items():
            self.register_buffer(name, torch.from_numpy(values), persistent=False)
        self._epsilon = sizes.epsilon
        self.layers = nn.ModuleList(Layer(weights, number, rank, dropped) for number in range(count))
        self._frozen = frozen
        self.layers[:frozen].requires_grad_(False)

    def forward(self, numbers: Tensor, mask: Tensor) -> Tensor:
        """Return ``(texts, tokens, hidden)`` for the numbers of pieces ``(texts, tokens)``."""
        embedded = self._rows[numbers] + self._places[: numbers.shape[1]]
        states = functional.layer_norm(embedded, (embedded.shape[2],), self._factors, self._bias, self._epsilon)
        for layer in self.layers:
            states = layer(states, mask)
        return states

    def take(self, learnt: Additions) -> None:
        """Start from what another network has learnt."""
        for number, layer in self._learning():
            for name, matrix in layer.matrices.items():
                place = f"l{number}.{name}"
                factors = (learnt.array(f"{place}.{side}", -1, -1) for side in ("up", "down"))
                matrix.take(*factors, learnt.array(f"{place}.b", -1))
            for name, norm in layer.norms.items():
                for kind, value in (("w", norm.weight), ("b", norm.bias)):
                    value.data.copy_(torch.from_numpy(learnt.array(f"l{number}.{name}.{kind}", -1)))

    def learnt(self, rank: int) -> dict[str, Any]:
        """Return what was learnt by name: additions as ``up`` and ``down`` in 8 bits, biases and norms as they now are."""
        found: dict[str, Any] = {}
        for number, layer in self._learning():
            for name, matrix in layer.matrices.items():
                place = f"l{number}.{name}"
                for side, values, axis in zip(("up", "down"), matrix.addition(rank), (0, 1), strict=True):
                    found |= in_eight_bits(f"{place}.{side}", values, axis)
                found[f"{place}.b"] = half(matrix.bias)
            for name, norm in layer.norms.items():
                found |= {f"l{number}.{name}.w": half(norm.weight), f"l{number}.{name}.b": half(norm.bias)}
        return found

    def groups(self, rate: float, rate_of_biases: float) -> list[dict[str, Any]]:
        """Return groups of an optimizer: matrices, and biases and norms, each with its highest rate."""
        learning = [(name, value) for name, value in self.named_parameters() if value.requires_grad]
        matrices = [value for name, value in learning if name.endswith((".up", ".down", ".whole"))]
        others = [value for name, value in learning if not name.endswith((".up", ".down", ".whole"))]
        return [
            {"params": matrices, "rate": rate, "weight_decay": 0.01},
            {"params": others, "rate": rate_of_biases, "weight_decay": 0.0},
        ]

    def _learning(self) -> Iterator[tuple[int, Layer]]:
        return ((number, layer) for number, layer in enumerate(self.layers) if number >= self._frozen)


class PairNetwork(nn.Module):
    """Reads pairs of texts: layers with low-rank additions, the mean of their last states, a tanh layer, some classes."""

    def __init__(self, weights: WeightsFile, classes: int) -> None:
        """Take the shipped model's *weights*."""
        super().__init__()
        self.below = LowerLayers(weights, weights.sizes.layers, rank=RANK, frozen=FROZEN)
        self.dense = nn.Linear(weights.sizes.hidden, weights.sizes.hidden)
        self.classes = nn.Linear(weights.sizes.hidden, classes)

    def forward(self, numbers: Tensor, mask: Tensor) -> Tensor:
        """Return ``(pairs, classes)`` logits of the numbers of pieces ``(pairs, tokens)``."""
        held = mask[:, :, None]
        mean = (self.below(numbers, mask) * held).sum(dim=1).float() / held.sum(dim=1)
        logits: Tensor = self.classes(torch.tanh(self.dense(mean)))
        return logits

    def learnt(self) -> dict[str, Any]:
        """Return what was learnt by name."""
        found = self.below.learnt(RANK)
        for name in ("dense", "classes"):
            linear = getattr(self, name)
            found |= {f"{name}.w": half(linear.weight), f"{name}.b": half(linear.bias)}
        return found

    def take(self, learnt: Additions) -> None:
        """Start from what another network has learnt, without its classes."""
        self.below.take(learnt)
        self.dense.weight.data.copy_(torch.from_numpy(learnt.array("dense.w", -1, -1)))
        self.dense.bias.data.copy_(torch.from_numpy(learnt.array("dense.b", -1)))

    def groups(self, rate_of_head: float) -> list[dict[str, Any]]:
        """Return groups of an optimizer, each with its highest rate."""
        head = [*self.dense.parameters(), *self.classes.parameters()]
        return [*self.below.groups(RATE, RATE_OF_BIASES), {"params": head, "rate": rate_of_head, "weight_decay": 0.01}]


def half(values: Tensor) -> Any:
    """Return *values* in 16 bits, as they are written."""
    return values.detach().cpu().numpy().astype(np.float16)


def in_eight_bits(name: str, values: Floats, axis: int | tuple[int, ...]) -> dict[str, Any]:
    """Return *values* under their *name* in 8 bits, and under ``.scale`` what to multiply them by, one number along *axis*."""
    scale = np.maximum(np.abs(values).max(axis=axis, keepdims=True) / 127, 1e-9).astype(np.float32)
    return {name: np.rint(values / scale).astype(np.int8), f"{name}.scale": scale}


def padded(rows: Iterable[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return rows of numbers as one tensor, and which places of it are filled."""
    numbers = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=-1)
    mask = numbers >= 0
    return numbers.clamp(min=0).to(DEVICE), mask.to(DEVICE)
