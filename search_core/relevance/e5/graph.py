"""The shipped model as a graph of onnxruntime: BERT's layers over embeddings, its matrices in 8 bits.

Every matrix is quantized by output channel, its input while it runs (``DynamicQuantizeMatMul``). The file's own 4 bits would keep
closer to the weights (``MatMulNBits``) and take three times as long.

A few channels of the feed-forward layers are ten times as large as all others and would leave those a few of the 256 steps. They
are made smaller on the way in, and their weights as much larger (SmoothQuant, Xiao et al. 2023, for these channels alone); which
they are is told by the weights of the layer norm before them.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from search_core.relevance.e5.weights_file import Floats, ModelSizes

_OPSET, _IR = 17, 8
_FUSED = "com.microsoft"
"""The domain of onnxruntime's own operators."""
_LARGEST = 63
"""Seven bits: processors without VNNI add two products in 16 bits, which eight would overflow. Measured on 500 texts against the
package's own engine, the least cosine is .989 with seven bits and .988 with eight."""
_LARGE_CHANNELS = 16
"""So many channels of a matrix's input are held to what the next one reaches. Error of a cosine by 8 bits against 32, standard
deviation over pairs of 110 texts: .0049 with all as they are, .0031 with 4 held, .0028 with 16, .0031 with 64."""
_DEVIATIONS = 3.0
"""How far from its mean a value of a layer norm counts as going."""
_LEAST_GELU = 0.17
"""What a channel reaches that GELU lets pass nothing of: the depth of its trough."""
_EMBEDDED, HIDDEN = "embedded", "hidden"


class Tensors(Protocol):
    """Gives a model's tensors by name; each method raises WeightsError."""

    sizes: ModelSizes

    def floats(self, name: str) -> Floats:
        """Return a tensor of one dimension."""
        ...

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        """Return a tensor of two dimensions."""
        ...


def build_graph(weights: Tensors) -> bytes:
    """Return the graph from embeddings ``(1, tokens, hidden)`` to the last hidden states; raises WeightsError."""
    layers = _Layers(weights)
    states = _EMBEDDED
    for number in range(weights.sizes.layers):
        states = layers.add(number, states)
    layers.node("Identity", [states], HIDDEN, domain="")
    shape: list[str | int | None] = [1, "tokens", weights.sizes.hidden]
    graph = helper.make_graph(
        layers.nodes,
        "e5",
        [helper.make_tensor_value_info(_EMBEDDED, onnx.TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(HIDDEN, onnx.TensorProto.FLOAT, shape)],
        layers.constants,
    )
    versions = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    return bytes(helper.make_model(graph, opset_imports=versions, ir_version=_IR).SerializeToString())


class _Layers:
    """Collects the nodes and constants of the layers."""

    def __init__(self, weights: Tensors) -> None:
        self._weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def add(self, number: int, states: str) -> str:
        """Add one layer behind *states* and return the name of what it gives."""
        sizes, layer = self._weights.sizes, f"l{number}."
        asked = [self._linear(states, layer + name, sizes.hidden, sizes.hidden) for name in ("q", "k", "v")]
        mixed = self.node("MultiHeadAttention", asked, layer + "mixed", num_heads=sizes.heads)
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
        """Return how large the channels get that go into the feed-forward layer, and those that come out of its middle."""
        sizes = self._weights.sizes
        factors, bias = (self._weights.floats(layer + name) for name in ("aln.w", "aln.b"))
        matrix = self._weights.matrix(layer + "fi.w", sizes.inner, sizes.hidden)
        mean = matrix @ bias + self._weights.floats(layer + "fi.b")
        spread = np.sqrt((matrix * matrix) @ (factors * factors))
        reach: Floats = np.abs(bias) + np.float32(_DEVIATIONS) * np.abs(factors)
        inner: Floats = np.maximum(mean + np.float32(_DEVIATIONS) * spread, np.float32(_LEAST_GELU))
        return reach, inner

    def _linear(self, states: str, name: str, rows: int, columns: int, reach: Floats | None = None) -> str:
        """Add the matrix *name*, whose input channels get as large as *reach* where that is known."""
        matrix = self._weights.matrix(name + ".w", rows, columns)
        if reach is not None:
            held = _surplus(reach)
            states = self.node("Mul", [states, self._constant(name + ".held", 1 / held)], name + ".input", domain="")
            matrix = matrix * held
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
    """Return by what to divide each channel so that the largest reach no further than the one behind them."""
    enough = np.sort(reach)[-min(_LARGE_CHANNELS + 1, len(reach))]
    return np.asarray(np.maximum(reach / enough, 1.0), dtype=np.float32)


def _quantize(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return *matrix* in 8 bits, and the scale of each row."""
    scales = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / _LARGEST
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)
