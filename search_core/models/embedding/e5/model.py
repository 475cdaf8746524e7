"""multilingual-e5-small, run by onnxruntime: texts to unit vectors, pairs of texts to judgements.

The graph is BERT's layers over embeddings, its matrices in 8 bits. Every matrix is quantized by output channel, its input while
it runs (``DynamicQuantizeMatMul``). The file's own 4 bits would keep closer to the weights (``MatMulNBits``) and take three
times as long.

A few channels of the feed-forward layers are ten times as large as the others, which would leave those only a few of the 256
steps. They are scaled down and their weights up by the same factor (SmoothQuant, Xiao et al. 2023, for these channels alone);
the weights of the layer norm before them tell which they are.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from search_core.models.embedding.e5.tokenizer import PieceTokenizer
from search_core.models.embedding.e5.weights_file import (
    ANSWERING,
    ENTAILMENT,
    SENTENCE_ENDS,
    UNSAID,
    Additions,
    Floats,
    MergedWeights,
    WeightsFile,
)
from search_core.runtime import Lazy

_OPSET, _IR = 17, 8
_FUSED = "com.microsoft"
"""The domain of onnxruntime's own operators."""
_LARGEST = 63
"""Seven bits: processors without VNNI add two products in 16 bits, which eight would overflow. Measured on 500 texts against the
package's own engine, the least cosine is .989 with seven bits and .988 with eight."""
_LARGE_CHANNELS = 16
"""So many of the largest input channels of a matrix are scaled down to the next largest. Error of a cosine by 8 bits against 32,
standard deviation over pairs of 110 texts: .0049 with all as they are, .0031 with 4 scaled, .0028 with 16, .0031 with 64."""
_DEVIATIONS = 3.0
"""Standard deviations from its mean within which a value of a layer norm is taken to stay."""
_LEAST_GELU = 0.17
"""Size of a channel of which GELU lets nothing pass: the depth of its trough."""
EMBEDDED, HIDDEN = "embedded", "hidden"


Tensors = WeightsFile | MergedWeights


def build_graph(weights: Tensors, lowest: int | None = None) -> bytes:
    """Return the graph from embeddings ``(1, tokens, hidden)`` to the states after all, or the *lowest*, layers.

    Raises WeightsError.
    """
    layers = _Layers(weights)
    states = EMBEDDED
    for number in range(lowest or weights.sizes.layers):
        states = layers.add(number, states)
    layers.node("Identity", [states], HIDDEN, domain="")
    shape: list[str | int | None] = [1, "tokens", weights.sizes.hidden]
    graph = helper.make_graph(
        layers.nodes,
        "e5",
        [helper.make_tensor_value_info(EMBEDDED, onnx.TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(HIDDEN, onnx.TensorProto.FLOAT, shape)],
        layers.constants,
    )
    versions = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    return bytes(helper.make_model(graph, opset_imports=versions, ir_version=_IR).SerializeToString())


class _Layers:
    """Builds the nodes and constants of the layers."""

    def __init__(self, weights: Tensors) -> None:
        self._weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def add(self, number: int, states: str) -> str:
        """Add one layer on top of *states* and return the name of its output."""
        sizes, layer = self._weights.sizes, f"l{number}."
        projections = [self._linear(states, layer + name, sizes.hidden, sizes.hidden) for name in ("q", "k", "v")]
        mixed = self.node("MultiHeadAttention", projections, layer + "mixed", num_heads=sizes.heads)
        attended = self._linear(mixed, layer + "ao", sizes.hidden, sizes.hidden)
        states = self._norm(states, attended, layer + "aln")
        reach, inner_reach = self._reach(layer)
        inner = self._linear(states, layer + "fi", sizes.inner, sizes.hidden, reach)
        inner = self.node("Gelu", [inner], layer + "gelu")
        inner = self._linear(inner, layer + "fo", sizes.hidden, sizes.inner, inner_reach)
        return self._norm(states, inner, layer + "oln")

    def node(self, kind: str, inputs: list[str], output: str, *, domain: str = _FUSED, **attributes: Any) -> str:
        """Add a node and return its *output*."""
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output

    def _reach(self, layer: str) -> tuple[Floats, Floats]:
        """Return the largest values of the channels that enter the feed-forward layer and of its middle."""
        sizes = self._weights.sizes
        factors, bias = (self._weights.floats(layer + name) for name in ("aln.w", "aln.b"))
        matrix = self._weights.matrix(layer + "fi.w", sizes.inner, sizes.hidden)
        mean = matrix @ bias + self._weights.floats(layer + "fi.b")
        spread = np.sqrt((matrix * matrix) @ (factors * factors))
        reach: Floats = np.abs(bias) + np.float32(_DEVIATIONS) * np.abs(factors)
        inner: Floats = np.maximum(mean + np.float32(_DEVIATIONS) * spread, np.float32(_LEAST_GELU))
        return reach, inner

    def _linear(self, states: str, name: str, rows: int, columns: int, reach: Floats | None = None) -> str:
        """Add the matrix *name*; *reach* are the largest values of its input channels, if known."""
        matrix = self._weights.matrix(name + ".w", rows, columns)
        if reach is not None:
            divisors = _surplus(reach)
            states = self.node("Mul", [states, self._constant(name + ".held", 1 / divisors)], name + ".input", domain="")
            matrix = matrix * divisors
        quantized, scales = _quantize(matrix)
        inputs = [
            states,
            self._constant(name + ".matrix", quantized.T),
            self._constant(name + ".scales", scales),
            self._constant(name + ".zeros", np.zeros(rows, dtype=np.int8)),
            self._constant(name + ".bias", self._weights.floats(name + ".b")),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, name)

    def _norm(self, states: str, added: str, name: str) -> str:
        factors = self._constant(name + ".factors", self._weights.floats(name + ".w"))
        bias = self._constant(name + ".bias", self._weights.floats(name + ".b"))
        inputs = [states, added, factors, bias]
        return self.node("SkipLayerNormalization", inputs, name, epsilon=self._weights.sizes.epsilon)

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name


def _surplus(reach: Floats) -> Floats:
    """Return divisors that bring the largest channels down to the next largest."""
    enough = np.sort(reach)[-min(_LARGE_CHANNELS + 1, len(reach))]
    return np.asarray(np.maximum(reach / enough, 1.0), dtype=np.float32)


def _quantize(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return *matrix* in 8 bits, with one scale for each row."""
    scales = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / _LARGEST
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


class PieceEmbeddings:
    """Reads embedding rows from the weights file on demand."""

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
"""Tokens of a pair, with its marks; the heads were trained on pairs up to this length."""
CLASSES = 3
"""A text supports a statement, is silent on it, or denies it."""


class E5Reader:
    """Reads texts one by one, with a learnt head on top of the shipped model."""

    def __init__(
        self, weights: WeightsFile, additions: Additions, embeddings: PieceEmbeddings, classes: int, threads: int = 1
    ) -> None:
        """Take the shared parts of the shipped model and the number of *classes*; raises WeightsError.

        One text is read by so many *threads*: more where texts come one by one, and somebody waits.
        """
        hidden = weights.sizes.hidden
        self._embeddings = embeddings
        self._dense, self._dense_bias = additions.array("dense.w", hidden, hidden), additions.array("dense.b", hidden)
        self._classes, self._classes_bias = additions.array("classes.w", classes, hidden), additions.array("classes.b", classes)
        self._temperature = additions.array("temperature", 1)
        self._session = inference_session(build_graph(MergedWeights(weights, additions)), threads)

    def logits(self, numbers: Sequence[int]) -> Floats:
        """Return ``(classes,)`` float32 for the numbers of a pair."""
        return self._head(self._states(numbers).mean(axis=0))

    def logits_at(self, coded: tuple[Sequence[int], Sequence[int]]) -> Floats:
        """Return ``(places, classes)`` float32 for the numbers of a text and places in it."""
        numbers, places = coded
        return self._head(self._states(numbers)[np.array(places, dtype=np.int64)])

    def _states(self, numbers: Sequence[int]) -> Floats:
        states: Floats = self._session.run(None, {EMBEDDED: self._embeddings.embed(numbers)[None]})[0][0]
        return states

    def _head(self, states: Floats) -> Floats:
        dense = np.tanh(states @ self._dense.T + self._dense_bias)
        return np.asarray((dense @ self._classes.T + self._classes_bias) / self._temperature, dtype=np.float32)


class E5Model:
    """Turns texts into vectors, each text by itself.

    Texts are not padded, and a vector does not depend on other texts: quantization scales are per text. Several texts run in
    parallel, one thread each: threads that share a text would wait for each other at every matrix.
    """

    def __init__(
        self, path: Path, threads: int, entailment: Path = ENTAILMENT, answering: Path = ANSWERING, unsaid: Path = UNSAID
    ) -> None:
        """Load the weights in *path*; raises WeightsError. The other files hold the heads for reading."""
        self.weights = WeightsFile(path)
        sizes = self.weights.sizes
        self.tokenizer = PieceTokenizer(self.weights.pieces(), sizes.positions)
        self.embeddings = PieceEmbeddings(self.weights)
        self._session = inference_session(build_graph(self.weights))
        self._entailment = Lazy(lambda: self._open_reader(entailment, CLASSES))
        self._answering = Lazy(lambda: self._open_reader(answering, 1))
        self._unsaid = Lazy(lambda: self._open_reader(unsaid, 1, threads))
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="e5")
        give_back_memory()

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return ``(n, hidden)`` float32; the texts have their prefix."""
        coded = self.tokenizer.encode(texts)
        vectors = np.empty((len(coded), self.weights.sizes.hidden), dtype=np.float32)
        longest_first = sorted(range(len(coded)), key=lambda place: -len(coded[place]))  # no thread waits long for the last
        embedded = self.threads.map(self._vector, [coded[place] for place in longest_first])
        for place, vector in zip(longest_first, embedded, strict=True):
            vectors[place] = vector
        return vectors

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return ``(n, 3)`` float32: the probabilities that each first text supports, ignores or denies the second.

        The head for it is built at the first call; raises WeightsError if that fails.
        """
        logits = self._read(pairs, self._entailment, CLASSES)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities: Floats = odds / odds.sum(axis=1, keepdims=True)
        return probabilities

    def answer(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return ``(n, 1)`` float32: the log odds that the end of each first text answers the question after it.

        The head is built at the first call, as in ``judge``.
        """
        return self._read(pairs, self._answering, 1)

    def get_ready(self) -> None:
        """Begin to build the head that reads questions, and return at once."""
        self.threads.submit(self._unsaid)

    def find_unsaid(self, words: Sequence[str]) -> Floats:
        """Return ``(words, 1)`` float32: the log odds that a question leaves each word unsaid; only their differences count.

        The *words* are those of the question and of its passage (``search_core.search.understanding.unsaid``). The head is built
        at the first call, as in ``judge``.
        """
        return self._unsaid().logits_at(self.tokenizer.encode_words(words))

    def _read(self, pairs: Sequence[tuple[str, str]], reader: Lazy[E5Reader], classes: int) -> Floats:
        logits = self.threads.map(reader().logits, self.tokenizer.encode_pairs(pairs, LONGEST))
        return np.stack([*logits]) if pairs else np.zeros((0, classes), dtype=np.float32)

    def _open_reader(self, learnt: Path, classes: int, threads: int = 1) -> E5Reader:
        reader = E5Reader(self.weights, Additions(learnt), self.embeddings, classes, threads)
        give_back_memory()
        return reader

    def _vector(self, numbers: Sequence[int]) -> Floats:
        states: Floats = self._session.run(None, {"embedded": self.embeddings.embed(numbers)[None]})[0][0]
        mean: Floats = states.mean(axis=0)
        return mean / np.float32(max(float(np.linalg.norm(mean)), 1e-12))


def give_back_memory() -> None:
    """Return a built graph's memory to the system; Linux's C library would keep 70 MiB for later."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # another C library lacks it
            ctypes.CDLL(None).malloc_trim(0)


def inference_session(graph: bytes, threads: int = 1) -> onnxruntime.InferenceSession:
    """Return a session that runs *graph* on the calling thread, and on others to make so many *threads*."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it would keep as much as the longest texts took
    options.log_severity_level = 3  # errors alone
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    session._model_bytes = None  # kept for other providers: 20 MB of what was read
    return session


LOWEST = 7
"""So many layers of the shipped model are run, from the lowest up."""
WINDOWS = ((1, 1), (5, 1), (3, 2), (3, 4), (3, 1))
"""For each layer of the network the width of its convolution in words, and its dilation."""
_PLACES, _ODDS = "places", "odds"


class E5SentenceEnds:
    """Says where sentences of spoken English end: a small convolutional network on a middle layer of the shipped model.

    It reads the state of each word's last piece. Middle layers know most about sentence ends, the last ones about whole texts.
    """

    def __init__(self, model: E5Model, learnt: Path = SENTENCE_ENDS) -> None:
        """Take the shipped model and the file of the *learnt* network; raises WeightsError."""
        self._model = model
        additions = Additions(learnt, "the ends of sentences")
        graph = build_graph(MergedWeights(model.weights, additions), LOWEST)
        self._session = inference_session(_with_network(graph, additions, model.weights.sizes.hidden))
        del graph
        give_back_memory()

    def odds(self, windows: Sequence[Sequence[str]]) -> Floats:
        """Return the log odds of a sentence end after each word, *windows* concatenated."""
        return np.concatenate([np.zeros(0, dtype=np.float32), *self._model.threads.map(self._odds, windows)])

    def _odds(self, words: Sequence[str]) -> Floats:
        numbers, places = self._model.tokenizer.encode_words(words)
        inputs = {EMBEDDED: self._model.embeddings.embed(numbers)[None], _PLACES: np.array(places, dtype=np.int64)}
        odds: Floats = self._session.run([_ODDS], inputs)[0][0, 0]
        return odds


def _with_network(graph: bytes, learnt: Additions, hidden: int) -> bytes:
    """Return *graph* extended: the states at the asked places, then the network on top of them."""
    model = onnx.load_from_string(graph)
    nodes = [
        helper.make_node("Gather", [HIDDEN, _PLACES], ["of_words"], axis=1),
        helper.make_node("Transpose", ["of_words"], ["states"], perm=[0, 2, 1]),
    ]
    constants, states, width_in = [], "states", hidden
    for number, (size, dilation) in enumerate(WINDOWS):
        name, last, reach = f"c{number}", number == len(WINDOWS) - 1, size // 2 * dilation
        matrix = learnt.array(f"{name}.w", 1 if last else -1, width_in, size)
        constants += [
            numpy_helper.from_array(matrix, f"{name}.w"),
            numpy_helper.from_array(learnt.array(f"{name}.b", len(matrix)), f"{name}.b"),
        ]
        output = _ODDS if last else name
        inputs: list[Any] = [states, f"{name}.w", f"{name}.b"]
        nodes.append(helper.make_node("Conv", inputs, [output], pads=[reach, reach], dilations=[dilation]))
        if number > 0 and not last:
            nodes.append(helper.make_node("Relu", [name], [f"{name}.positive"]))
            output = f"{name}.positive"
        if number > 1 and not last:
            nodes.append(helper.make_node("Add", [output, states], [f"{name}.sum"]))
            output = f"{name}.sum"
        states, width_in = output, len(matrix)
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(constants)
    model.graph.input.append(helper.make_tensor_value_info(_PLACES, onnx.TensorProto.INT64, ["words"]))
    model.graph.output.append(helper.make_tensor_value_info(_ODDS, onnx.TensorProto.FLOAT, [1, 1, "words"]))
    return bytes(model.SerializeToString())
