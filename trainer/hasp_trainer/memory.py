"""Estimates the memory of a training from the model's shape, without any weights: the peak of what PyTorch allocates.

It is to be compared with `torch.cuda.max_memory_allocated()`. All sizes are in bytes. Attention is PyTorch's own
(`sdpa`), which keeps no matrix of length by length; TRL's fused head computes the loss in tiles, so the logits of a
batch, by far the largest tensor of other trainers, do not appear.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM

FP32, BF16 = 4, 2
TILE_TOKENS, TILE_VOCABULARY = 4096, 32768
"""The most of a tile of logits in TRL's fused head."""
WORKSPACE = 100 * 2**20
"""Of matrix products and small tensors."""


@dataclass(frozen=True)
class Shape:
    """Sizes of a decoder, counted in numbers of a token or a layer."""

    parameters: int
    # Of the linear layers, without the head: LoRA is put on these.
    linear: int
    # Inputs and outputs of these layers together: a LoRA adapter of rank r has r times as many weights.
    linear_widths: int
    layers: int
    hidden: int
    inner: int
    # Queries of a token over all heads; keys and values have fewer.
    queries: int
    keys: int
    vocabulary: int
    positions: int


def shape_of(model: str) -> Shape:
    """Reads config.json and counts the parameters of a model that is never filled with numbers."""
    return shape_from(AutoConfig.from_pretrained(model, trust_remote_code=False))


def shape_from(config: Any) -> Shape:
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    head = model.get_output_embeddings()
    linear = [one for one in model.modules() if isinstance(one, torch.nn.Linear) and one is not head]
    text = config.get_text_config()
    heads = text.num_attention_heads
    width = getattr(text, "head_dim", None) or text.hidden_size // heads
    return Shape(
        parameters=sum(one.numel() for one in model.parameters()),
        linear=sum(one.weight.numel() for one in linear),
        linear_widths=sum(one.in_features + one.out_features for one in linear),
        layers=text.num_hidden_layers,
        hidden=text.hidden_size,
        inner=getattr(text, "intermediate_size", None) or 4 * text.hidden_size,
        queries=heads * width,
        keys=(getattr(text, "num_key_value_heads", None) or heads) * width,
        vocabulary=text.vocab_size,
        positions=getattr(text, "max_position_embeddings", None) or 2**31,
    )


@dataclass(frozen=True)
class Load:
    """A training as far as its memory depends on it."""

    method: str
    # Rank of the adapter; None where all weights are trained.
    rank: int | None
    bf16: bool
    checkpointing: bool
    # Rows in a forward pass, and tokens of the longest row.
    batch: int
    length: int
    # Distillation: the most tokens of a reply, rows whose replies are generated together, and the teacher.
    reply: int = 0
    generated: int = 0
    teacher: Shape | None = None
    # Several processes keep a second copy of all gradients, which they exchange.
    is_shared: bool = False

    def with_batch(self, batch: int) -> Load:
        return replace(self, batch=batch, generated=self.generated // self.batch * batch)


@dataclass(frozen=True)
class Memory:
    """The parts of a peak, in bytes."""

    weights: int
    # Gradients and the two moments of AdamW, with an adapter's own weights.
    trained: int
    # Inputs of all layers, or with checkpointing off all that the backward pass needs.
    activations: int
    # Of one layer, while its gradients are computed.
    layer: int
    # Of the loss, before the layers' turn comes.
    head: int
    # Teacher or reference, and the cache of generated replies.
    others: int

    @property
    def parts(self) -> dict[str, int]:
        """The parts that are there at the same time; their sum is the peak."""
        return {
            "weights": self.weights,
            "trained": self.trained,
            "activations": self.activations,
            "backward": max(self.layer, self.head),
            "others": self.others,
            "workspace": WORKSPACE,
        }

    @property
    def peak(self) -> int:
        return sum(self.parts.values())


def adapter_size(shape: Shape, rank: int) -> int:
    return rank * shape.linear_widths


def trained_size(shape: Shape, rank: int | None) -> int:
    """Numbers that are trained."""
    return shape.parameters if rank is None else adapter_size(shape, rank)


def estimate(shape: Shape, load: Load) -> Memory:
    is_adapter = load.rank is not None
    number = BF16 if load.bf16 else FP32
    tokens = load.batch * load.length * (2 if load.method == "dpo" else 1)
    weights = shape.parameters * (number if is_adapter else FP32)
    # In bf16, autocast keeps a copy of each trained matrix during a step.
    copies = trained_size(shape, load.rank) * BF16 if load.bf16 else 0
    trained = trained_size(shape, load.rank) * 3 * FP32 + copies
    if is_adapter:
        trained += adapter_size(shape, load.rank or 0) * FP32
    if load.is_shared:
        trained += trained_size(shape, load.rank) * FP32
    kept, stream = kept_of_layer(shape, load), stream_of_layer(shape, load)
    activations = stream * shape.layers if load.checkpointing else (kept + stream) * shape.layers
    layer = kept if load.checkpointing else 0
    return Memory(
        weights=weights,
        trained=trained,
        activations=tokens * activations,
        layer=tokens * (layer + in_flight(shape, load)),
        head=head_of(shape, load, tokens),
        others=others_of(shape, load),
    )


def stream_of_layer(shape: Shape, load: Load) -> int:
    """Of a token: a layer's input. It is fp32 where the embeddings are."""
    is_bf16 = load.bf16 and load.rank is not None
    return shape.hidden * (BF16 if is_bf16 else FP32)


def kept_of_layer(shape: Shape, load: Load) -> int:
    """Of a token: what one layer keeps for its backward pass, its input aside.

    Counted over a pre-norm layer with gated feed-forward: the norms' fp32 input; a copy of the normed input for each
    of the five matrices that take it; queries, keys and values of all heads, the attention's result, and its copy for
    the output matrix; gate, its activation, up, and their product.
    """
    h, q, f = shape.hidden, shape.queries, shape.inner
    if not load.bf16:
        # Nothing is cast: the normed input is shared, and the first norm's input is the layer's.
        norms = FP32 * (h + 2 * h) if load.rank is not None else FP32 * (h + 4 * h)
        return norms + FP32 * (5 * q + 4 * f)
    norms = 2 * FP32 * h if load.rank is not None else FP32 * (h + 2 * h)
    return norms + BF16 * (5 * h + 5 * q + 4 * f)


def in_flight(shape: Shape, load: Load) -> int:
    """Of a token: gradients in one layer's backward pass, at the widest place, the feed-forward's product."""
    h, f = shape.hidden, shape.inner
    if not load.bf16:
        return FP32 * (3 * f + h)
    # The adapter's path goes through fp32.
    return (2 * BF16 + FP32) * f + (BF16 + FP32) * h


def head_of(shape: Shape, load: Load, tokens: int) -> int:
    """Of the loss: a tile of logits, and the last hidden states with their gradient, in fp32 while it adds up."""
    number = BF16 if load.bf16 else FP32
    states = tokens * shape.hidden * (2 * FP32 + number)
    if load.method == "sdft":
        # Its trainer has the logits of both whole: cast to fp32, divided by the temperature, and with gradients.
        return states + load.batch * load.reply * shape.vocabulary * (number + 6 * FP32)
    tile = min(tokens, TILE_TOKENS) * min(shape.vocabulary, TILE_VOCABULARY)
    return states + tile * (2 * FP32 if load.method == "distil" else number)


def others_of(shape: Shape, load: Load) -> int:
    number = BF16 if load.bf16 else FP32
    # With an adapter the reference of DPO, and the teacher of self-distillation, is the model without it.
    start = shape.parameters * FP32 if load.rank is None and load.method in ("dpo", "sdft") else 0
    if load.method == "dpo":
        return start
    # Keys and values of the rows that are generated together; they are freed before the backward pass, but PyTorch
    # may not find the place again.
    cache = load.generated * load.length * 2 * shape.keys * shape.layers * number
    return start + cache + (load.teacher.parameters * number if load.teacher is not None else 0)
