"""The student: a Llama of about a million parameters over a vocabulary of whole words."""

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


def make_student(
    tokenizer: PreTrainedTokenizerFast, hidden: int, layers: int, heads: int
) -> LlamaForCausalLM:
    """An untrained student. Embeddings are shared with the output, which makes a word easier to copy."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=4 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        # For this width; the usual 0.02 leaves attention flat for hundreds of steps.
        initializer_range=0.08,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
    )
    return LlamaForCausalLM(config).to(torch.float32)
