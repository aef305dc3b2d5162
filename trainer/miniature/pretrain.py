"""Makes a student and pre-trains it on recorded runs: `python -m miniature.pretrain CONFIG.json`."""

import json
import math
import random
import sys
import time
from pathlib import Path

import torch
from transformers import PreTrainedTokenizerFast, LlamaForCausalLM, set_seed

from miniature.rows import Row, read_run
from miniature.student import ASSISTANT, USER, make_student, make_tokenizer, words_of

IGNORED = -100


class Encoded:
    """Rows as token ids, dealt out in batches with the names dealt anew."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerFast, rows: list[Row], kinds: list[list[str]], whole: bool
    ):
        self.pad = tokenizer.pad_token_id
        self.size = len(tokenizer)
        self.kinds = [torch.tensor(tokenizer.convert_tokens_to_ids(names)) for names in kinds]
        self.whole = whole
        # The last prompt of an episode holds the earlier replies.
        last = [
            row for row, after in zip(rows, [*rows[1:], None], strict=True) if not (after and after.continues)
        ]
        self.rows = [self._encode(tokenizer, row) for row in (last if whole else rows)]

    def _encode(self, tokenizer: PreTrainedTokenizerFast, row: Row) -> tuple[list[int], list[bool]]:
        """Token ids, and which of them the loss counts: the reply alone, or with `whole` the earlier ones, too."""
        ids: list[int] = []
        counts: list[bool] = []
        shown = [message for message in row.messages if message["role"] != "system"]
        for message in [*shown, {"role": "assistant", "content": row.said}]:
            is_said = message["role"] == "assistant"
            text = tokenizer(message["content"], add_special_tokens=False)["input_ids"]
            ids += [
                tokenizer.convert_tokens_to_ids(ASSISTANT if is_said else USER),
                *text,
                tokenizer.eos_token_id,
            ]
            counts += [False, *[is_said and self.whole] * (len(text) + 1)]
        if not self.whole:
            counts[-len(text) - 1 :] = [True] * (len(text) + 1)
        return ids, counts

    def dealt_anew(self) -> torch.Tensor:
        """A map of the vocabulary that swaps the names of each kind, so that no fact can be learned by heart."""
        table = torch.arange(self.size)
        for ids in self.kinds:
            table[ids] = ids[torch.randperm(len(ids))]
        return table

    def batch(self, chosen: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """Token ids and labels, padded on the right; the loss counts the policy's own words alone."""
        length = max(len(self.rows[at][0]) for at in chosen)
        ids = torch.full((len(chosen), length), self.pad)
        labels = torch.full((len(chosen), length), IGNORED)
        for place, at in enumerate(chosen):
            row, counts = self.rows[at]
            tokens = self.dealt_anew()[torch.tensor(row)]
            ids[place, : len(row)] = tokens
            labels[place, : len(row)] = torch.where(torch.tensor(counts), tokens, IGNORED)
        return ids, labels


class Recall:
    """Pairs of words, then the same pairs in another order: to say the second of each is the skill behind a look-up."""

    PAIRS = 6

    def __init__(self, tokenizer: PreTrainedTokenizerFast, kinds: list[list[str]]):
        self.values = torch.tensor(
            [tokenizer.convert_tokens_to_ids(name) for names in kinds for name in names]
        )
        self.words = torch.arange(len(tokenizer.all_special_ids), len(tokenizer))

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Token ids and labels: only the second words of the second list count."""
        keys = self.words[torch.rand(size, len(self.words)).topk(self.PAIRS).indices]
        values = self.values[torch.randint(len(self.values), (size, self.PAIRS))]
        order = torch.rand(size, self.PAIRS).argsort(dim=1)
        pairs = torch.stack([keys, values], dim=2)
        again = torch.stack([keys.gather(1, order), values.gather(1, order)], dim=2)
        wanted = torch.full_like(again, IGNORED)
        wanted[:, :, 1] = again[:, :, 1]
        ids = torch.cat([pairs.flatten(1), again.flatten(1)], dim=1)
        return ids, torch.cat([torch.full_like(pairs, IGNORED).flatten(1), wanted.flatten(1)], dim=1)


def batches(rows: Encoded, size: int):
    """Batches of rows of similar length without end, in a random order."""
    while True:
        order = list(range(len(rows.rows)))
        random.shuffle(order)
        pools = [order[at : at + 16 * size] for at in range(0, len(order), 16 * size)]
        cut = []
        for pool in pools:
            pool.sort(key=lambda at: len(rows.rows[at][0]))
            cut.extend(pool[at : at + size] for at in range(0, len(pool), size))
        random.shuffle(cut)
        yield from cut


def rate(step: int, steps: int, warmup: int) -> float:
    """Share of the learning rate: a linear warmup, then a cosine down to a twentieth."""
    if step < warmup:
        return (step + 1) / warmup
    done = (step - warmup) / max(1, steps - warmup)
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * done))


def train(model: LlamaForCausalLM, draw, phase: dict, device: torch.device, log) -> None:
    """One phase of the curriculum; `draw` gives its batches. Writes the mean loss of every 50 steps and ends at one of `until`."""
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=phase["learning_rate"], betas=(0.9, 0.95), weight_decay=0.01
    )
    model.train()
    losses = []
    start = time.perf_counter()
    for step in range(phase["steps"]):
        for group in optimizer.param_groups:
            group["lr"] = phase["learning_rate"] * rate(step, phase["steps"], phase["warmup"])
        ids, labels = draw()
        ids, labels = ids.to(device), labels.to(device)
        hidden = model.model(input_ids=ids).last_hidden_state
        wanted = labels[:, 1:].flatten()
        counts = wanted != IGNORED
        # Only where the loss counts: most of the time would go into the vocabulary otherwise.
        logits = model.lm_head(hidden[:, :-1].flatten(0, 1)[counts])
        loss = torch.nn.functional.cross_entropy(logits, wanted[counts])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if (step + 1) % 50 == 0 or step + 1 == phase["steps"]:
            entry = {
                "phase": phase["name"],
                "step": step + 1,
                "loss": round(sum(losses) / len(losses), 4),
                "seconds": round(time.perf_counter() - start, 1),
            }
            log.write(json.dumps(entry) + "\n")
            log.flush()
            print(entry, flush=True)
            if entry["loss"] <= phase.get("until", 0):
                return
            losses = []


def main(config_file: str) -> None:
    """The configuration names the runs, the names of the world, the phases and the folder of the student."""
    config = json.loads(Path(config_file).read_text(encoding="utf-8"))
    set_seed(config["seed"])
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    names = json.loads(Path(config["names"]).read_text(encoding="utf-8"))
    kinds = [names["people"], names["cities"], names["countries"]]
    runs = {run: read_run(Path(run)) for phase in config["phases"] for run in phase.get("runs", [])}
    shown = [row for rows in runs.values() for row in rows]
    texts = [
        text
        for row in shown
        for text in [row.said, *(m["content"] for m in row.messages if m["role"] != "system")]
    ]
    tokenizer = make_tokenizer(words_of([*texts, *(name for kind in kinds for name in kind)]))
    model = make_student(tokenizer, **config["student"]).to(device)
    print(
        f"{sum(p.numel() for p in model.parameters())} parameters, {len(tokenizer)} words, {len(shown)} rows on {device}"
    )
    output = Path(config["output"])
    output.mkdir(parents=True, exist_ok=True)
    with (output / "pretraining.jsonl").open("w", encoding="utf-8") as log:
        for phase in config["phases"]:
            if phase["kind"] == "recall":
                recall = Recall(tokenizer, kinds)
                train(
                    model, lambda recall=recall, phase=phase: recall.batch(phase["batch"]), phase, device, log
                )
                continue
            rows = Encoded(
                tokenizer,
                [row for run in phase["runs"] for row in runs[run]],
                kinds,
                phase["kind"] == "episodes",
            )
            stream = batches(rows, phase["batch"])
            train(model, lambda rows=rows, stream=stream: rows.batch(next(stream)), phase, device, log)
    model.to("cpu").save_pretrained(output)
    tokenizer.save_pretrained(output)


if __name__ == "__main__":
    main(sys.argv[1])
