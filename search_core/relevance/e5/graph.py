"""The shipped model as a graph of onnxruntime: BERT's layers over embeddings, its matrices in 8 bits.

Every matrix is quantized by output channel, its input while it runs (``DynamicQuantizeMatMul``). The file's own 4 bits would keep
closer to the weights (``MatMulNBits``) and take three times as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from search_core.relevance.e5.weights_file import Floats, WeightsFile

_OPSET, _IR = 17, 8
_FUSED = "com.microsoft"
"""The domain of onnxruntime's own operators."""
_LARGEST = 63
"""Seven bits: processors without VNNI add two products in 16 bits, which eight would overflow. Measured on 500 texts against the
package's own engine, the least cosine is .989 with seven bits and .988 with eight."""
_EMBEDDED, HIDDEN = "embedded", "hidden"


def build_graph(weights: WeightsFile) -> bytes:
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

    def __init__(self, weights: WeightsFile) -> None:
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
        inner = self._linear(states, layer + "fi", sizes.inner, sizes.hidden)
        inner = self.node("Gelu", [inner], layer + "gelu")
        inner = self._linear(inner, layer + "fo", sizes.hidden, sizes.inner)
        return self._norm(states, inner, layer + "oln")

    def node(self, kind: str, inputs: list[str], output: str, *, domain: str = _FUSED, **attributes: Any) -> str:
        """Add a node and return its *output*."""
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output

    def _linear(self, states: str, name: str, rows: int, columns: int) -> str:
        matrix, scales = _quantize(self._weights.matrix(name + ".w", rows, columns))
        inputs = [
            states,
            self._constant(name + ".matrix", matrix.T),
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


def _quantize(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return *matrix* in 8 bits, and the scale of each row."""
    scales = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / _LARGEST
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)
