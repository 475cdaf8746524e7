"""multilingual-e5-small, run by onnxruntime: texts in, vectors of length 1 out; pairs in, what one says of the other out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer, models, pre_tokenizers

from search_core.relevance.e5.graph import Tensors, build_graph
from search_core.relevance.e5.weights_file import ENTAILMENT, Additions, Floats, MergedWeights, Pieces, WeightsFile

_SPACES = re.compile(" {2,}")


class PieceTokenizer:
    """Cuts texts into the pieces of XLM-RoBERTa: the likeliest cut wins (Unigram), a space becomes ``▁``."""

    def __init__(self, pieces: Pieces, longest: int) -> None:
        """Take the pieces, and how many numbers a text may become, marks included; the rest of it is left out."""
        self._first, self._last, self._replacements = pieces.first, pieces.last, pieces.replacements
        self._longest = longest
        self._tokenizer = _tokenizer(pieces)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return for each text its numbers, between the mark of a beginning and that of an end."""
        return [[self._first, *pieces[: self._longest - 2], self._last] for pieces in self._pieces(texts)]

    def encode_pairs(self, pairs: Sequence[tuple[str, str]], longest: int) -> list[list[int]]:
        """Return for each pair at most *longest* numbers: its two texts, two marks of an end between them.

        Of a longer pair, ends are left out; the statement keeps half of the room, and more where the window is shorter.
        """
        sides = zip(*(self._pieces(side) for side in zip(*pairs, strict=True)), strict=True) if pairs else ()
        coded = []
        for window, statement in sides:
            room = longest - 4
            kept = max(room - len(window), min(len(statement), room // 2))
            held = statement[:kept]
            coded.append([self._first, *window[: room - len(held)], self._last, self._last, *held, self._last])
        return coded

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch([self._normalize(text) for text in texts], add_special_tokens=False)
        return [coded.ids for coded in encodings]

    def _normalize(self, text: str) -> str:
        return _SPACES.sub(" ", text.translate(self._replacements))


def _tokenizer(pieces: Pieces) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram(pieces.scored, unk_id=pieces.unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    return tokenizer


class PieceEmbeddings:
    """Reads the rows it is asked for from the file of the weights."""

    def __init__(self, weights: WeightsFile) -> None:
        """Hold the small tensors; raises WeightsError."""
        self._weights = weights
        sizes, floats = weights.sizes, weights.floats
        places = floats("emb.pos").reshape(sizes.positions, sizes.hidden)
        self._places = places + floats("emb.type")[: sizes.hidden]  # all tokens are of the first type
        self._factors, self._bias = floats("emb.ln.w"), floats("emb.ln.b")

    def embed(self, numbers: Sequence[int]) -> Floats:
        """Return ``(tokens, hidden)``."""
        sizes = self._weights.sizes
        rows = self._weights.matrix_rows("emb.word", (sizes.vocabulary, sizes.hidden), np.array(numbers, dtype=np.int64))
        rows += self._places[: len(numbers)]
        rows -= rows.mean(axis=1, keepdims=True)
        rows /= np.sqrt((rows * rows).mean(axis=1, keepdims=True) + sizes.epsilon)
        return np.asarray(rows * self._factors + self._bias, dtype=np.float32)


LONGEST = 112
"""Pieces of a pair, its marks among them; longer ones were not learnt from."""
CLASSES = 3
Session = Callable[[Tensors], onnxruntime.InferenceSession]


class E5Entailment:
    """Judges pairs of a window and a statement, each by itself."""

    def __init__(
        self,
        weights: WeightsFile,
        additions: Additions,
        tokenizer: PieceTokenizer,
        embeddings: PieceEmbeddings,
        open_session: Session,
    ) -> None:
        """Take the shipped model's parts, which both share; raises WeightsError."""
        hidden = weights.sizes.hidden
        self._tokenizer, self._embeddings = tokenizer, embeddings
        self._dense, self._dense_bias = additions.array("dense.w", hidden, hidden), additions.array("dense.b", hidden)
        self._classes, self._classes_bias = additions.array("classes.w", CLASSES, hidden), additions.array("classes.b", CLASSES)
        self._temperature = additions.array("temperature", 1)
        self._session = open_session(MergedWeights(weights, additions))

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
        """Return the numbers of pieces of each pair."""
        return self._tokenizer.encode_pairs(pairs, LONGEST)

    def probabilities(self, numbers: Sequence[int]) -> Floats:
        """Return how likely a window bears its statement out, is silent on it, or denies it."""
        states: Floats = self._session.run(None, {"embedded": self._embeddings.embed(numbers)[None]})[0][0]
        dense = np.tanh(self._dense @ states.mean(axis=0) + self._dense_bias)
        logits = (self._classes @ dense + self._classes_bias) / self._temperature
        odds = np.exp(logits - logits.max())
        probabilities: Floats = odds / odds.sum()
        return probabilities


class E5Model:
    """Turns texts into vectors, each text by itself.

    No text is padded, and the vector of one does not depend on what else is asked for: the scale of what is quantized on the way
    is that of one text. Several texts run at once, one thread each: threads that share one text wait for each other at every
    matrix, which on a busy machine takes many times as long as the work.
    """

    def __init__(self, path: Path, threads: int, learnt: Path = ENTAILMENT) -> None:
        """Load the weights in the file *path*; raises WeightsError. *learnt* is what the entailment model adds to them."""
        self._weights = WeightsFile(path)
        sizes = self._weights.sizes
        self.tokenizer = PieceTokenizer(self._weights.take_pieces(), sizes.positions)
        self._embeddings = PieceEmbeddings(self._weights)
        self._session = _session(self._weights)
        self._learnt = learnt
        self._entailment: E5Entailment | None = None
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="e5")

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return ``(n, hidden)`` float32; the texts have their prefix."""
        coded = self.tokenizer.encode(texts)
        vectors = np.empty((len(coded), self._weights.sizes.hidden), dtype=np.float32)
        longest_first = sorted(range(len(coded)), key=lambda place: -len(coded[place]))  # nobody waits long for the last one
        embedded = self._threads.map(self._vector, [coded[place] for place in longest_first])
        for place, vector in zip(longest_first, embedded, strict=True):
            vectors[place] = vector
        return vectors

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return ``(n, 3)`` float32: how likely each first text bears the second out, is silent on it, or denies it.

        What that takes is built when it is first asked for; raises WeightsError when it cannot be.
        """
        if self._entailment is None:
            additions = Additions(self._learnt)
            self._entailment = E5Entailment(self._weights, additions, self.tokenizer, self._embeddings, _session)
        found = self._threads.map(self._entailment.probabilities, self._entailment.encode(pairs))
        return np.stack([*found]) if pairs else np.zeros((0, CLASSES), dtype=np.float32)

    def _vector(self, numbers: Sequence[int]) -> Floats:
        states: Floats = self._session.run(None, {"embedded": self._embeddings.embed(numbers)[None]})[0][0]
        mean: Floats = states.mean(axis=0)
        return mean / np.float32(max(float(np.linalg.norm(mean)), 1e-12))


def _session(weights: Tensors) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it would keep as much as the longest texts took
    options.log_severity_level = 3  # errors alone
    return onnxruntime.InferenceSession(build_graph(weights), options, providers=["CPUExecutionProvider"])
