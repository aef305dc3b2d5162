"""The student: a Llama of about a million parameters over a vocabulary of whole words."""

import math
import re
from collections.abc import Iterable

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

PAD, UNKNOWN, END, USER, ASSISTANT = "<|pad|>", "<|unknown|>", "<|end|>", "<|user|>", "<|assistant|>"

# A word, a sign or the end of a line. Blanks are no part of it and are put back by the decoder.
PIECES = re.compile(r"\n|[^\W_]+|[^\w\s]|_")

# The system message is the same in every prompt of the harness, so that the student is not shown it.
CHAT_TEMPLATE = (
    "{% for message in messages %}{% if message['role'] == 'user' %}<|user|>{{ message['content'] }}<|end|>"
    "{% elif message['role'] == 'assistant' %}<|assistant|>{{ message['content'] }}<|end|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)

# Where the harness writes no blank. The decoder has put one before each word.
TIGHT = [
    ("[ ", "["),
    (" [", "["),
    (" ]", "]"),
    (" .", "."),
    (" ,", ","),
    (" :", ":"),
    (" ?", "?"),
    (" \n ", "\n"),
    (" \n", "\n"),
]


def words_of(texts: Iterable[str]) -> list[str]:
    """Each word of the texts once, sorted."""
    return sorted({piece for text in texts for piece in PIECES.findall(text)})


def make_tokenizer(words: list[str]) -> PreTrainedTokenizerFast:
    """One token a word; a word that is not among these is unknown."""
    special = [PAD, UNKNOWN, END, USER, ASSISTANT]
    vocabulary = {word: at for at, word in enumerate([*special, *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"[^\S\n]+"), "removed"),
            pre_tokenizers.Split(Regex(r"\n|[^\w\s]|_"), "isolated"),
        ]
    )
    tokenizer.decoder = decoders.Sequence(
        [decoders.WordPiece(prefix="##", cleanup=False), decoders.Fuse()]
        + [decoders.Replace(wide, tight) for wide, tight in TIGHT]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        unk_token=UNKNOWN,
        eos_token=END,
        additional_special_tokens=[USER, ASSISTANT],
        chat_template=CHAT_TEMPLATE,
        clean_up_tokenization_spaces=False,
        model_max_length=1024,
    )


# Dimensions of a head: with fewer, the words that it copies are told apart badly.
HEAD = 64
# Of the biases that make a head look at a fixed distance: large enough that it sees almost nothing else.
SHARPNESS = 6.0
# Pairs of dimensions that turn fastest with the distance, in which neighbours differ most.
FAST = 4
# From this pair on they hardly turn within a prompt, so that words can be compared at any distance.
SLOW = 20
# What the layers add begins small beside the words themselves, whose components have this size.
WORD = 0.08
QUIET = 0.1
# Size of what the first layer tells about the word before.
SEEN = 0.2
# Strength of the comparison of words in the score of attention, and of what is copied.
MATCH = 3.5
COPY = 1.0


def make_student(
    tokenizer: PreTrainedTokenizerFast, hidden: int, layers: int, heads: int
) -> LlamaForCausalLM:
    """An untrained student. Embeddings are shared with the output, which makes a word easier to copy.

    It begins with a look-up: a head of the second layer attends to what stood behind the present word before, and copies it.
    A student of this size takes thousands of steps to come upon that by itself.
    """
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=4 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=HEAD,
        attention_bias=True,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        # For this width; the usual 0.02 leaves attention flat for hundreds of steps.
        initializer_range=WORD,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
    )
    student = LlamaForCausalLM(config).to(torch.float32)
    with torch.no_grad():
        for layer in student.model.layers:
            layer.self_attn.o_proj.weight *= QUIET
            layer.mlp.down_proj.weight *= QUIET
        _look_back(student)
        _look_up(student)
    return student


def _look_back(student: LlamaForCausalLM) -> None:
    """Sets the first head of the first layer so that it looks at the word before, whatever the words are."""
    attention = student.model.layers[0].self_attn
    base = student.config.rope_parameters["rope_theta"]
    for projection in (attention.q_proj, attention.k_proj):
        projection.weight[:HEAD] = 0
        projection.bias[:HEAD] = 0
    for pair in range(FAST):
        angle = base ** (-2 * pair / HEAD)
        attention.k_proj.bias[pair] = SHARPNESS
        attention.q_proj.bias[pair] = SHARPNESS * math.cos(angle)
        attention.q_proj.bias[pair + HEAD // 2] = -SHARPNESS * math.sin(angle)
    attention.v_proj.weight[:HEAD] = _directions(student).T
    attention.o_proj.weight[:, :HEAD] = SEEN * _directions(student)


def _look_up(student: LlamaForCausalLM) -> None:
    """Sets the first head of the second layer: it attends where that of the first one saw the present word, and copies."""
    before, attention = (layer.self_attn for layer in student.model.layers[:2])
    slow = [at for half in (0, HEAD // 2) for at in range(half + SLOW, half + HEAD // 2)]
    present = before.v_proj.weight[:HEAD][slow]
    seen = before.o_proj.weight[:, :HEAD].T[slow] / SEEN
    for projection, directions in ((attention.q_proj, present), (attention.k_proj, seen)):
        projection.weight[:HEAD] = 0
        projection.weight[slow] = MATCH * directions
        projection.bias[:HEAD] = 0
    copied = _directions(student)
    attention.v_proj.weight[:HEAD] = copied.T
    attention.o_proj.weight[:, :HEAD] = COPY * copied


def _directions(student: LlamaForCausalLM) -> torch.Tensor:
    """As many directions at right angles as a head has dimensions."""
    return torch.linalg.qr(torch.randn(student.config.hidden_size, HEAD)).Q
