"""Lets HASP skills act on agents that run in Inspect: an approver that asks `hasp serve`, with what goes with it.

    skills = HaspSkills("-o", ".hasp/runs/eval")
    Task(..., solver=react(tools=[bash()], on_continue=skills.on_continue), approval=skills.approval, review=skills.review)

Each sample is an episode. Needs clients/python/hasp_client.py on the path and the `hasp` command.
"""

from __future__ import annotations

import atexit
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

from hasp_client import Episode, Hasp, HaspError
from inspect_ai.agent import AgentState
from inspect_ai.approval import Approval, ApprovalPolicy, Approver, approver
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser
from inspect_ai.review import Review, Reviewer, ReviewPolicy, reviewer
from inspect_ai.tool import ToolCall, ToolCallView, ToolResult
from inspect_ai.util import store

logger = logging.getLogger(__name__)

REFUSE, FINAL = "REFUSE", "FINAL"
KEY = "hasp:episode"
MOST_TOLD = 1_000_000  # characters of a result; a request has at most 16 MiB
MOST_READ = 4_000_000  # characters of a conversation that are told
MOST_NAME = 200  # characters of a question's name
UNRUN = "Nothing was run."
NOTATION = "Go on with one call of a tool; submit ends the work."  # ends the texts of skills (docs/serve.md, `form`)


def _json(value: Any) -> str:
    """As JavaScript writes it: an input that a skill leaves as it is stays the same text."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Tool:
    """How the coding-agent domain calls one tool (docs/serve.md lists its tools and their keys)."""

    type: str
    """The canonical tool, `Bash`; FINAL for the tool by which an agent stops."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Canonical names of the tool's own keys where they differ. Of FINAL: the key of what the agent says."""
    result: Callable[[ToolResult], dict[str, Any] | None] = lambda _: None
    """How a call ended (`exit_code`, `ok`), where its output tells."""

    def action(self, arguments: Mapping[str, Any]) -> dict[str, str]:
        """The call as an action."""
        if self.type == FINAL:
            said = arguments.get(next(iter(self.keys), "answer"), "")
            return {"type": FINAL, "arg": said if isinstance(said, str) else _json(said)}
        first = [key for key in self.keys if key in arguments]
        order = [*first, *(key for key in arguments if key not in first)]
        return {"type": self.type, "arg": _json({self.keys.get(key, key): arguments[key] for key in order})}

    def arguments(self, arg: str) -> dict[str, Any]:
        """The arguments of a call that is wanted in place of one."""
        if self.type == FINAL:
            return {next(iter(self.keys), "answer"): arg}
        own = {canonical: mine for mine, canonical in self.keys.items()}
        return {own.get(key, key): value for key, value in json.loads(arg).items()}


TOOLS: Mapping[str, Tool] = {
    "bash": Tool("Bash", {"cmd": "command"}),
    "submit": Tool(FINAL, {"answer": FINAL}),
}
UNKNOWN = Tool("other")


@dataclass
class _Sample:
    """What is known of one sample between two calls."""

    episode: Episode
    pending: list[str]
    """Texts that the agent has not read yet."""
    running: tuple[str, Tool] | None = None
    """Id and tool of the call whose result is awaited."""
    over: str | None = None


def _said(message: ChatMessageTool) -> tuple[str, bool]:
    """What the agent reads of a result, and whether the tool failed."""
    if message.error is not None:
        return message.error.message, True
    return message.text, False


def _messages(history: Sequence[ChatMessage], call: ToolCall) -> list[dict[str, str]] | None:
    """What the model read before it proposed the call; None where that is nothing, or too much to tell."""
    said = [i for i, one in enumerate(history) if any(own.id == call.id for own in _calls(one))]
    read = history[: said[-1]] if said else history
    messages = [{"role": "user" if one.role == "tool" else one.role, "content": _content(one)} for one in read]
    return messages if 0 < sum(len(one["content"]) for one in messages) <= MOST_READ else None


def _content(message: ChatMessage) -> str:
    """A message as text; a call of a tool as its name and its arguments."""
    text = _said(message)[0] if isinstance(message, ChatMessageTool) else message.text
    calls = [f"{one.function} {_json(one.arguments)}" for one in _calls(message)]
    return "\n".join(part for part in [text, *calls] if part)


def _calls(message: ChatMessage) -> Sequence[ToolCall]:
    return message.tool_calls or [] if isinstance(message, ChatMessageAssistant) else []


@final
class HaspSkills:
    """The skills of one `hasp serve`, for the tasks of one process. Samples may run at once; calls of one sample may not."""

    def __init__(
        self,
        *arguments: str,
        command: Sequence[str] = ("hasp",),
        tools: Mapping[str, Tool] | None = None,
        fail_open: bool = True,
        open: Mapping[str, Any] | None = None,
        world: Callable[[Mapping[str, str]], dict[str, Any] | None] = lambda _: None,
    ) -> None:
        """`arguments` and `command` start hasp serve with the first call. `tools` are added to TOOLS; a tool in neither is
        the action `other`. `open` goes to the method of that name (`cwd`, `project`, `max_steps`), `world` to each step.
        `fail_open`: calls that hasp serve does not answer run unasked; else they are rejected."""
        self._arguments, self._command, self._hasp = arguments, command, None
        self._tools = {**TOOLS, **(tools or {})}
        self._fail_open, self._open, self._world = fail_open, dict(open or {}), world
        self._samples: dict[str, _Sample] = {}
        self.approval = [ApprovalPolicy(hasp_approver(self), "*")]
        self.review = [ReviewPolicy(hasp_reviewer(self), "*")]

    def close(self) -> None:
        """Ends hasp serve; samples that never submitted are kept as halted."""
        if self._hasp is not None:
            self._hasp.close()
            self._hasp = None
        self._samples.clear()

    async def approve(self, message: str, call: ToolCall, history: list[ChatMessage]) -> Approval:
        """What becomes of a proposed call."""
        try:
            return self._approve(message, call, history)
        except (HaspError, OSError) as error:
            logger.warning("hasp serve did not answer: %s", error)
            if self._fail_open:
                return Approval(decision="approve", explanation=f"not asked: {error}")
            return Approval(decision="reject", explanation=f"{UNRUN} hasp serve did not answer: {error}")

    def observe(self, call: ToolCall, message: ChatMessageTool, output: ToolResult) -> None:
        """Tells what an approved call brought."""
        sample = self._samples.get(store().get(KEY, ""))
        if sample is None or sample.running is None or sample.running[0] != call.id:
            return
        text, failed = _said(message)
        self._told(sample, text, {"ok": False} if failed else sample.running[1].result(output))

    async def on_continue(self, state: AgentState) -> bool | str:
        """For `react(on_continue=…)`: brings the agent what skills say about calls that they let run."""
        sample = self._samples.get(store().get(KEY, ""))
        texts = _read(sample) if sample is not None else []
        return "\n\n".join(texts) if texts else True

    def _sample(self, history: list[ChatMessage]) -> _Sample:
        key = store().get(KEY)
        if key in self._samples:
            return self._samples[key]
        if self._hasp is None:
            self._hasp = Hasp.start("--domain", "coding-agent", *self._arguments, command=self._command)
            atexit.register(self.close)
        asked = next((one.text for one in history if isinstance(one, ChatMessageUser) and one.text.strip()), "a task")
        types = list(dict.fromkeys([*(tool.type for tool in self._tools.values()), REFUSE, FINAL]))
        episode = self._opened(self._hasp, asked, {"action_types": types, "notation": NOTATION, **self._open})
        sample = _Sample(episode, [*episode.summaries, *episode.instructions])
        store().set(KEY, episode.id)
        self._samples[episode.id] = sample
        return sample

    def _opened(self, hasp: Hasp, asked: str, facts: dict[str, Any]) -> Episode:
        active = sample_active()
        if active is None or active.sample.id is None:
            return hasp.open(asked, **facts)
        question = f"{active.task}/{active.sample.id}"[:MOST_NAME]
        try:
            return hasp.open(asked, **{"question_id": question, "sample": active.epoch, **facts})
        except HaspError as error:
            if error.code != "episode_exists":
                raise
            # Inspect tries a sample again that failed, and runs a task with several models: each is an episode of its own.
            return hasp.open(asked, **facts)

    def _approve(self, message: str, call: ToolCall, history: list[ChatMessage]) -> Approval:
        sample = self._sample(history)
        if sample.running is not None and not self._settle(sample, history):
            return _rejected([f"{UNRUN} Another call is still running. This one can be proposed again after it."])
        if sample.over is not None:
            return _rejected([sample.over])
        tool = self._tools.get(call.function, UNKNOWN)
        action = tool.action(call.arguments)
        read = _messages(history, call)
        decision = sample.episode.step(**action, thought=message, world=self._world(action), messages=read)
        sample.pending += [one["text"] for one in decision["injected"]]
        if "stopped" in decision:
            sample.over = f"{UNRUN} The session is over ({decision['stopped']})."
            return _rejected([sample.over])
        return self._carry_out(sample, call, tool, action, decision)

    def _carry_out(
        self, sample: _Sample, call: ToolCall, tool: Tool, action: dict[str, str], decision: dict[str, Any]
    ) -> Approval:
        kind, arg = decision["executed"]["type"], decision["executed"]["arg"]
        if decision["hold_back"] or "again" in decision:
            return _rejected(_read(sample, decision.get("again", "")))
        if kind == REFUSE:
            self._told(sample, "", None)
            return _rejected(_read(sample, arg))
        why = "; ".join(one["reason"] for one in decision["events"] if one["status"] == "applied")
        if kind != action["type"]:
            # An approver can change the arguments of a call, not its tool.
            text = f"{UNRUN} The call that fits here is {kind} {arg}. {why}".strip()
            if "answer" in decision:
                sample.over = f"{UNRUN} The session is over: {decision['answer']}"
            else:
                self._told(sample, text, {"ok": False})
            return _rejected(_read(sample, text))
        if "answer" in decision:
            arg, sample.over = decision["answer"], f"{UNRUN} The session is over."
        else:
            sample.running = (call.id, tool)
        if arg == action["arg"]:
            return Approval(decision="approve")
        if sample.episode.rewritten:
            # An approver has no say in the output, so the line comes with the next texts.
            sample.pending.insert(0, sample.episode.rewritten)
        changed = replace(call, arguments=tool.arguments(arg))
        return Approval(decision="modify", modified=changed, explanation=why)

    def _settle(self, sample: _Sample, history: list[ChatMessage]) -> bool:
        """Tells of a call that no reviewer was asked about, from the conversation; false while it may still run."""
        assert sample.running is not None
        awaited = sample.running[0]
        for one in reversed(history):
            if isinstance(one, ChatMessageTool) and one.tool_call_id == awaited:
                text, failed = _said(one)
                self._told(sample, text, {"ok": False} if failed else sample.running[1].result(text))
                return True
        latest = history[-1] if history else None
        if isinstance(latest, ChatMessageAssistant) and any(one.id == awaited for one in latest.tool_calls or []):
            return False
        self._told(sample, "", None)
        return True

    def _told(self, sample: _Sample, observation: str, result: dict[str, Any] | None) -> None:
        sample.running = None
        instructions = sample.episode.observe(observation[:MOST_TOLD], result=result)
        sample.pending += [*sample.episode.injected, *instructions]
        if sample.episode.stopped is not None:
            sample.over = f"{UNRUN} The session is over ({sample.episode.stopped})."


def _read(sample: _Sample, first: str = "") -> list[str]:
    """Takes the texts that the agent reads now, with the question and the form of an action behind them."""
    texts, sample.pending = [text for text in [first, *sample.pending] if text], []
    return [*texts, sample.episode.form] if texts and sample.episode.form else texts


def _rejected(texts: Sequence[str]) -> Approval:
    return Approval(decision="reject", explanation="\n\n".join(text for text in texts if text))


@approver
def hasp_approver(skills: HaspSkills) -> Approver:
    """Approves, changes or rejects a call as the skills decide; rejects a submission that they hold back."""

    async def approve(message: str, call: ToolCall, view: ToolCallView, history: list[ChatMessage]) -> Approval:
        return await skills.approve(message, call, history)

    return approve


@reviewer
def hasp_reviewer(skills: HaspSkills) -> Reviewer:
    """Tells the skills what a call brought. Never stops a sample."""

    async def review(
        message: str,
        call: ToolCall,
        result: ChatMessageTool,
        output: ToolResult,
        view: ToolCallView,
        history: list[ChatMessage],
    ) -> Review:
        try:
            skills.observe(call, result, output)
        except (HaspError, OSError) as error:
            logger.warning("hasp serve was not told of a result: %s", error)
        return Review(decision="continue")

    return review
