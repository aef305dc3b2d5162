"""Reads files of `hasp train-data` with TRL's own trainers: a tiny random model, no network, one training step each.

    python read_with_trl.py FILE...

The end of a file's name says what reads it: `-sft.jsonl`, `-dpo.jsonl`, `-prompt.jsonl` or `-context.jsonl`. Prints one
JSON line per file: `file`, `rows`, `columns`, `ok`, and `error` where it is refused. Ends with 1 if any is.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

# Set before the imports, which read them. Everything that TRL needs is made here, so nothing may be downloaded.
os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_DISABLE_PROGRESS_BARS="1", CUDA_VISIBLE_DEVICES="")

import torch
from datasets import Dataset, load_dataset
from datasets.exceptions import DatasetGenerationError
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer
from trl.experimental.sdft import SDFTConfig, SDFTTrainer

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "trainer/tests"))
from tiny import END, START, save_tiny_model, tiny_tokenizer

LISTS = {
    "sft": ("prompt", "completion"),
    "dpo": ("prompt", "chosen", "rejected"),
    "prompt": ("prompt",),
    "context": ("prompt", "privileged"),
}

Row = dict[str, Any]


class Refused(Exception):
    """A file that a trainer cannot read as it was meant."""


def kind_of(file: Path) -> str:
    kind = file.stem.rpartition("-")[2]
    if file.suffix != ".jsonl" or kind not in LISTS:
        names = ", ".join(f"-{one}.jsonl" for one in LISTS)
        raise Refused(f"{file.name}: the name must end with one of {names}")
    return kind


def rows_of(file: Path, lists: tuple[str, ...]) -> list[Row]:
    """The rows, each with its lists of messages: TRL itself would name no line."""
    text = file.read_text("utf-8")
    if text == "":
        raise Refused(f"{file.name}: no rows")
    rows = []
    # Only \n ends a line here: str.splitlines would also split at U+2028 within a text.
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise Refused(f"{file.name}:{number}:{error.colno}: {error.msg}") from error
        for name in lists:
            if not isinstance(row.get(name), list) or row[name] == []:
                raise Refused(f"{file.name}:{number}: `{name}` is missing or has no message")
            for message in row[name]:
                if not (isinstance(message.get("role"), str) and isinstance(message.get("content"), str)):
                    raise Refused(f"{file.name}:{number}: a message of `{name}` lacks its role or content")
        rows.append(row)
    return rows


def load(file: Path, rows: list[Row], cache: str) -> Dataset:
    """The file as a dataset. Arrow guesses the types, and each value must come back as it was written."""
    try:
        data = load_dataset("json", data_files=str(file), split="train", cache_dir=cache)
    except DatasetGenerationError as error:
        raise Refused(f"{file.name}: {error.__cause__ or error}") from error
    if len(data) != len(rows):
        raise Refused(f"{file.name}: {len(rows)} rows are read as {len(data)}")
    for number, (row, read) in enumerate(zip(rows, data, strict=True), 1):
        for name, value in read.items():
            if name not in row:
                raise Refused(f"{file.name}:{number}: `{name}` is missing, which other rows have")
            if row[name] != value:
                raise Refused(f"{file.name}:{number}: `{name}`: {row[name]!r} is read as {value!r}")
    return data


def text_of(messages: list[Row], is_open: bool = False) -> str:
    """The chat template by hand, so that a template that loses text is noticed."""
    text = "".join(f"{START}{one['role']}\n{one['content']}{END}\n" for one in messages)
    return text + f"{START}assistant\n" if is_open else text


def expect_text(file: Path, number: int, name: str, found: str, wanted: str) -> None:
    if found != wanted:
        raise Refused(f"{file.name}:{number}: `{name}` is tokenized as {found!r}, not {wanted!r}")


def answer_of(row: Row, name: str) -> str:
    """The part of the row's text that is learned: it begins after the header, which belongs to the prompt."""
    return text_of(row[name]).removeprefix(f"{START}assistant\n")


def settings(folder: str) -> Row:
    return {
        "output_dir": folder,
        "max_steps": 1,
        "per_device_train_batch_size": 2,
        "use_cpu": True,
        "bf16": False,
        "report_to": "none",
        "save_strategy": "no",
        "disable_tqdm": True,
    }


def shortest(data: Dataset) -> Dataset:
    """Two rows for the training step, which proves that batches are made; long ones would take minutes on a CPU."""
    order = sorted(range(len(data)), key=lambda i: len(json.dumps(data[i])))
    return data.select(order[:2])


def read_sft(file: Path, rows: list[Row], data: Dataset, model: str, out: str) -> None:
    args = SFTConfig(**settings(out), max_length=None)
    trainer = SFTTrainer(model, args, train_dataset=data)
    decode = trainer.processing_class.decode
    prepared = trainer.train_dataset
    if len(prepared) != len(rows):
        raise Refused(f"{file.name}: {len(prepared)} of {len(rows)} rows are prepared")
    for number, (row, read) in enumerate(zip(rows, prepared, strict=True), 1):
        learned = [label != -100 for label in read["labels"]]
        start = learned.index(True)
        if not all(learned[start:]):
            raise Refused(f"{file.name}:{number}: tokens after the start of the completion are masked")
        expect_text(file, number, "prompt", decode(read["input_ids"][:start]), text_of(row["prompt"], True))
        learned_text = decode(read["input_ids"][start:])
        expect_text(file, number, "completion", learned_text, answer_of(row, "completion"))
    trainer.train_dataset = shortest(prepared)
    trainer.train()


def read_dpo(file: Path, rows: list[Row], data: Dataset, model: str, out: str) -> None:
    args = DPOConfig(**settings(out), max_length=None)
    trainer = DPOTrainer(model, args=args, train_dataset=data)
    decode = trainer.processing_class.decode
    prepared = trainer.train_dataset
    if len(prepared) != len(rows):
        raise Refused(f"{file.name}: {len(prepared)} of {len(rows)} rows are prepared")
    for number, (row, read) in enumerate(zip(rows, prepared, strict=True), 1):
        expect_text(file, number, "prompt", decode(read["prompt_ids"]), text_of(row["prompt"], True))
        for name in ("chosen", "rejected"):
            expect_text(file, number, name, decode(read[f"{name}_ids"]), answer_of(row, name))
    trainer.train_dataset = shortest(prepared)
    trainer.train()


def read_prompts(file: Path, rows: list[Row], data: Dataset, model: str, out: str) -> None:
    """GRPO gives a reward function the columns of the row beside the prompt."""
    seen = []

    def reward(prompts: list[Any], completions: list[Any], **columns: list[Any]) -> list[float]:
        seen.extend(zip(prompts, columns["question_id"], strict=True))
        return [float(i) for i in range(len(completions))]

    args = GRPOConfig(**settings(out), num_generations=2, max_completion_length=4)
    trainer = GRPOTrainer(model, reward_funcs=reward, args=args, train_dataset=data)
    decode = trainer.processing_class.decode
    ids = trainer._tokenize_prompts([row["prompt"] for row in rows])[0]
    for number, (row, one) in enumerate(zip(rows, ids, strict=True), 1):
        expect_text(file, number, "prompt", decode(one), text_of(row["prompt"], True))
    trainer.train_dataset = shortest(data)
    trainer.train()
    known = [(row["prompt"], row["question_id"]) for row in rows]
    if not seen or any(one not in known for one in seen):
        raise Refused(f"{file.name}: the reward function is given rows that the file does not have")


def read_contexts(file: Path, rows: list[Row], data: Dataset, model: str, out: str) -> None:
    """Two prompts a row: the student answers the first, and learns from itself as it answers the second."""
    given = settings(out) | {"per_device_train_batch_size": 1}
    args = SDFTConfig(**given, max_completion_length=4, max_prompt_length=None, num_generations=1)
    trainer = SDFTTrainer(model, args, train_dataset=data.rename_column("privileged", "privileged_context"))
    # By default the text of the second column is written behind the prompt; here it is a whole prompt of its own.
    trainer.teacher_context_builder._compose_teacher_prompt = lambda _, privileged: privileged
    decode = trainer.processing_class.decode
    for name in LISTS["context"]:
        ids = trainer._tokenize_prompts([row[name] for row in rows])
        for number, (row, one) in enumerate(zip(rows, ids, strict=True), 1):
            expect_text(file, number, name, decode(one), text_of(row[name], True))
    for number, row in enumerate(rows, 1):
        if row["prompt"] == row["privileged"]:
            raise Refused(f"{file.name}:{number}: `privileged` says no more than `prompt`")
    trainer.train()
    if trainer.state.global_step != 1:
        raise Refused(f"{file.name}: no step was trained")


READERS = {"sft": read_sft, "dpo": read_dpo, "prompt": read_prompts, "context": read_contexts}


def read(file: Path, model: str, place: str) -> Row:
    found: Row = {"file": file.name, "rows": 0, "columns": [], "ok": False}
    try:
        kind = kind_of(file)
        rows = rows_of(file, LISTS[kind])
        data = load(file, rows, f"{place}/cache")
        found.update(rows=len(data), columns=data.column_names)
        READERS[kind](file, rows, data, model, f"{place}/out")
        found["ok"] = True
    except Refused as error:
        found["error"] = str(error)
    return found


def main(files: list[str]) -> int:
    # One thread: other stages of the tests run beside this one.
    torch.set_num_threads(1)
    is_ok = True
    with tempfile.TemporaryDirectory() as place:
        model = f"{place}/model"
        save_tiny_model(model, tiny_tokenizer())
        for file in files:
            # The trainers print their measures.
            with contextlib.redirect_stdout(sys.stderr):
                found = read(Path(file), model, place)
            is_ok = is_ok and found["ok"]
            print(json.dumps(found), flush=True)
    return 0 if is_ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
