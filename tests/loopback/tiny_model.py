"""A real model of sentence-transformers that weighs five megabytes: one layer of BERT with weights by chance."""

from __future__ import annotations

import json

import numpy as np
from safetensors.numpy import save
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

WIDTH, INNER, PIECES, PLACES = 64, 128, 20_000, 256
_MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tiny_model(seed: int = 7) -> dict[str, bytes]:
    """Return the files of the model by their paths."""
    return {
        "config.json": _json(_CONFIG),
        "model.safetensors": save(_weights(np.random.default_rng(seed)), {"format": "pt"}),
        "tokenizer.json": _tokenizer().encode(),
        "tokenizer_config.json": _json(
            {
                "tokenizer_class": "PreTrainedTokenizerFast",
                "model_max_length": PLACES,
                **_NAMED,
                "clean_up_tokenization_spaces": True,
            }
        ),
        "modules.json": _json(
            [
                {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
                {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            ]
        ),
        "1_Pooling/config.json": _json({"word_embedding_dimension": WIDTH, "pooling_mode_mean_tokens": True}),
        "onnx/model.onnx": b"another form of the same weights",
        "README.md": b"# tiny\n",
    }


_NAMED = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
_CONFIG = {
    "architectures": ["BertModel"],
    "model_type": "bert",
    "hidden_size": WIDTH,
    "intermediate_size": INNER,
    "num_attention_heads": 2,
    "num_hidden_layers": 1,
    "vocab_size": PIECES,
    "max_position_embeddings": PLACES,
    "type_vocab_size": 2,
    "pad_token_id": 0,
}


def _weights(rng: np.random.Generator) -> dict[str, np.ndarray]:
    layer = "encoder.layer.0."
    matrices = {
        "embeddings.word_embeddings.weight": (PIECES, WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        **{
            f"{layer}attention.{part}.weight": (WIDTH, WIDTH) for part in ("self.query", "self.key", "self.value", "output.dense")
        },
        f"{layer}intermediate.dense.weight": (INNER, WIDTH),
        f"{layer}output.dense.weight": (WIDTH, INNER),
        "pooler.dense.weight": (WIDTH, WIDTH),
    }
    weights = {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in matrices.items()}
    biases = {
        name.removesuffix("weight") + "bias": len(value) for name, value in weights.items() if "dense" in name or "self" in name
    }
    weights |= {name: np.zeros(length, np.float32) for name, length in biases.items()}
    for name in ("embeddings.LayerNorm", f"{layer}attention.output.LayerNorm", f"{layer}output.LayerNorm"):
        weights |= {f"{name}.weight": np.ones(WIDTH, np.float32), f"{name}.bias": np.zeros(WIDTH, np.float32)}
    return weights


def _tokenizer() -> str:
    letters = [chr(code) for code in (*range(33, 127), *range(ord("가"), ord("힣") + 1))]
    pieces = {piece: number for number, piece in enumerate((*_MARKS, *letters))}
    tokenizer = Tokenizer(models.WordLevel(pieces, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    a_letter = pre_tokenizers.Split(Regex("."), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), a_letter])
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer.to_str()


def _json(value: object) -> bytes:
    return json.dumps(value).encode()
