"""Reads recorded runs: for each proposal the messages that the policy read, and the words that it said."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One proposal of a recorded episode."""

    messages: list[dict[str, str]]
    said: str
    continues: bool
    """It comes after another proposal of the same episode."""


def _prompts(file: Path) -> dict[str, list[tuple[str, str]]]:
    """The messages of each prompt by its id; a line says what its prompt adds to an earlier one."""
    prompts: dict[str, list[tuple[str, str]]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        messages = list(prompts[entry["from"]]) if "from" in entry else []
        if messages and ("keep" in entry or "more" in entry):
            role, content = messages.pop()
            units = content.encode("utf-16-le", "surrogatepass")
            kept = units[: 2 * entry["keep"]] if "keep" in entry else units
            messages.append((role, kept.decode("utf-16-le", "surrogatepass") + entry.get("more", "")))
        messages.extend((role, content) for role, content in entry["add"])
        prompts[entry["id"]] = messages
    return prompts


def read_run(folder: Path) -> list[Row]:
    """All proposals of a run in the order of its episodes. The policy's own words, not what a skill put in their place."""
    prompts = _prompts(folder / "messages.jsonl")
    rows = []
    for line in (folder / "episodes.jsonl").read_text(encoding="utf-8").splitlines():
        proposals = [proposal for step in json.loads(line)["steps"] for proposal in step["proposals"]]
        for at, proposal in enumerate(proposals):
            prompt = prompts[proposal["messages"]]
            messages = [{"role": role, "content": content} for role, content in prompt]
            rows.append(Row(messages, proposal["completion"]["text"], at > 0))
    return rows
