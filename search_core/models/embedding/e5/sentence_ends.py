"""Where sentences of spoken English end: a small convolutional network on a middle layer of the shipped model.

It reads the state of each word's last piece. Middle layers know most about sentence ends, the last ones about whole texts. The
layers below were trained for it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from search_core.models.embedding.e5.model import EMBEDDED, HIDDEN, E5Model, build_graph, give_back_memory, open_session
from search_core.models.embedding.e5.weights_file import SENTENCE_ENDS, Additions, Floats, MergedWeights

LOWEST = 7
"""The layers of the shipped model that are run."""
WINDOWS = ((1, 1), (5, 1), (3, 2), (3, 4), (3, 1))
"""For each layer of the network the words it sees at once, and how far they stand apart."""
_PLACES, _ODDS = "places", "odds"


class E5SentenceEnds:
    """Judges windows of words, one by one."""

    def __init__(self, model: E5Model, learnt: Path = SENTENCE_ENDS) -> None:
        """Take the shipped model and the file of the *learnt* network; raises WeightsError."""
        self._model = model
        additions = Additions(learnt, "the ends of sentences")
        graph = build_graph(MergedWeights(model.weights, additions), LOWEST)
        self._session = open_session(_with_network(graph, additions, model.weights.sizes.hidden))
        del graph
        give_back_memory()

    def odds(self, windows: Sequence[Sequence[str]]) -> Floats:
        """Return the log odds of a sentence end after each word, *windows* concatenated."""
        return np.concatenate([np.zeros(0, dtype=np.float32), *self._model.threads.map(self._odds, windows)])

    def _odds(self, words: Sequence[str]) -> Floats:
        numbers, places = self._model.tokenizer.encode_words(words)
        given = {EMBEDDED: self._model.embeddings.embed(numbers)[None], _PLACES: np.array(places, dtype=np.int64)}
        found: Floats = self._session.run([_ODDS], given)[0][0, 0]
        return found


def _with_network(graph: bytes, learnt: Additions, hidden: int) -> bytes:
    """Return *graph* extended: the states at the asked places, then the network on top of them."""
    model = onnx.load_from_string(graph)
    nodes = [
        helper.make_node("Gather", [HIDDEN, _PLACES], ["of_words"], axis=1),
        helper.make_node("Transpose", ["of_words"], ["states"], perm=[0, 2, 1]),
    ]
    constants, states, width_in = [], "states", hidden
    for number, (seen, apart) in enumerate(WINDOWS):
        name, last, reach = f"c{number}", number == len(WINDOWS) - 1, seen // 2 * apart
        matrix = learnt.array(f"{name}.w", 1 if last else -1, width_in, seen)
        constants += [
            numpy_helper.from_array(matrix, f"{name}.w"),
            numpy_helper.from_array(learnt.array(f"{name}.b", len(matrix)), f"{name}.b"),
        ]
        output = _ODDS if last else name
        inputs: list[Any] = [states, f"{name}.w", f"{name}.b"]
        nodes.append(helper.make_node("Conv", inputs, [output], pads=[reach, reach], dilations=[apart]))
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
