"""multilingual-e5-small, run by onnxruntime: texts in, vectors of length 1 out; pairs in, what one says of the other out."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime

from search_core.relevance.e5.additions import Additions
from search_core.relevance.e5.embeddings import PieceEmbeddings
from search_core.relevance.e5.entailment import CLASSES, E5Entailment
from search_core.relevance.e5.graph import Tensors, build_graph
from search_core.relevance.e5.package import ENTAILMENT
from search_core.relevance.e5.tokenizer import PieceTokenizer
from search_core.relevance.e5.weights_file import Floats, WeightsFile


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
