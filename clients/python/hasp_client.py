"""Lets a Python agent ask HASP skills what becomes of its steps: a client of `hasp serve`, standard library only."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
from collections.abc import Callable, Sequence
from typing import Any, final


class HaspError(Exception):
    """A request that was not answered: `code` for programs, the text and `next` for people."""

    def __init__(self, code: str, message: str, next: str = "") -> None:
        super().__init__(f"{message} {next}".strip())
        self.code, self.next = code, next


class Episode:
    """One episode: `step` before each action of yours, `observe` after it, `close` at the end."""

    def __init__(self, hasp: Hasp, opened: dict[str, Any]) -> None:
        self._hasp, self.id = hasp, opened["episode"]
        self.summaries: list[str] = opened["summaries"]  # for the system prompt
        self.instructions: list[str] = []  # for the next prompt
        self.injected: list[str] = []  # what skills add to the latest observation, or to the proposal that is held back
        self.stopped: str | None = None  # the budget that is used up
        self.rewritten: str | None = None  # another action ran than the proposed one: which, and why
        self.form: str | None = None  # ends a message with such texts; None before the first of them, and with older servers
        self._unread: list[str] = []
        self._next(opened)

    def step(self, type: str, arg: str, thought: str = "", **more: Any) -> dict[str, Any]:
        """What becomes of a proposed action: run `executed`, read `injected`; propose again where `hold_back`.

        More: `usage`, `completion` (`text`, `finish`), `messages` (`role`, `content`: what the model read),
        `prompts` (what a person said since the step before), `world` (the branch, the files of the call).
        """
        action = {"type": type, "arg": arg}
        self._unread, self.rewritten = [], None
        return self._next(self._hasp.call("step", episode=self.id, thought=thought, action=action, **more))

    def observe(
        self,
        observation: str,
        documents: Sequence[dict[str, str]] | None = None,
        result: dict[str, Any] | None = None,
    ) -> list[str]:
        """Tells what the executed action brought, and with `result` (`exit_code`, `ok`) how it ended; answers what the
        agent reads before its next step. `injected` is then what it reads with this observation besides."""
        told = {"observation": observation, "documents": documents, "result": result}
        self._next(self._hasp.call("observe", episode=self.id, **told))
        return self.instructions

    def message(self, observation: str = "") -> str:
        """The next message to the agent's model, the observation included: before the first step, after a step that ran
        nothing, after `observe`. The line on a rewritten action comes first, then the observation, the texts of skills,
        the form."""
        texts, self._unread = [text for text in self._unread if text], []
        form = self.form if texts or self.rewritten else None
        return "\n\n".join(part for part in [self.rewritten, observation, *texts, form] if part)

    def close(self, answer: str | None = None, stop_reason: str | None = None) -> dict[str, Any]:
        """Ends the episode, with the answer where the agent has one that was no FINAL."""
        return self._hasp.call("close", episode=self.id, answer=answer, stop_reason=stop_reason)

    def _next(self, result: dict[str, Any]) -> dict[str, Any]:
        self.instructions = [one["text"] for one in result.get("instructions", [])]
        self.injected = [one["text"] for one in result.get("injected", [])]
        self.stopped = result.get("stopped")
        self.rewritten = result.get("rewritten", self.rewritten)
        self.form = result.get("form", self.form)
        executed = result.get("executed", {})
        refusal = executed["arg"] if executed.get("type") == "REFUSE" else ""
        self._unread += [refusal, *self.injected, result.get("again", ""), *self.instructions]
        return result


@final
class Hasp:
    """A connection to `hasp serve`. Not for use by several threads at once: open one for each."""

    def __init__(self, exchange: Callable[[bytes], bytes], end: Callable[[], Any]) -> None:
        self._exchange, self._end, self._calls = exchange, end, 0

    @classmethod
    def start(cls, *arguments: str, command: Sequence[str] = ("hasp",)) -> Hasp:
        """Starts `hasp serve` with these arguments as a child, which ends with `close`."""
        child = subprocess.Popen([*command, "serve", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdin is not None and child.stdout is not None
        return cls(_lines(child.stdin, child.stdout), lambda: child.communicate())

    @classmethod
    def connect(cls, path: str) -> Hasp:
        """Uses the server that listens at a local socket (`hasp serve --socket <path>`)."""
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        stream = connection.makefile("rwb")
        connection.close()  # the stream holds it open until it is closed itself
        return cls(_lines(stream, stream), stream.close)

    @classmethod
    def http(cls, port: int, token: str | None = None) -> Hasp:
        """Uses the server at a port of this machine (`hasp serve --http <port>`), with HASP_SERVE_TOKEN by default."""
        connection = http.client.HTTPConnection("127.0.0.1", port)
        headers = {"Authorization": f"Bearer {token or os.environ['HASP_SERVE_TOKEN']}"}

        def exchange(request: bytes) -> bytes:
            connection.request("POST", "/", request, headers)
            return connection.getresponse().read()

        return cls(exchange, connection.close)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one request; HaspError where there is none. A parameter that is None is left out."""
        self._calls += 1
        given = {key: value for key, value in params.items() if value is not None}
        reply = json.loads(self._exchange(json.dumps({"id": self._calls, "method": method, "params": given}).encode()))
        if "error" in reply:
            raise HaspError(**reply["error"])
        result: dict[str, Any] = reply["result"]
        return result

    def open(self, question: str, **options: Any) -> Episode:
        """Opens an episode; options: those of `open` in docs/serve.md."""
        return Episode(self, self.call("open", question=question, **options))

    def close(self) -> None:
        """Ends the connection; episodes that are still open are kept as halted."""
        self._end()

    def __enter__(self) -> Hasp:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _lines(to: Any, back: Any) -> Callable[[bytes], bytes]:
    def exchange(request: bytes) -> bytes:
        to.write(request + b"\n")
        to.flush()
        reply: bytes = back.readline()
        if not reply:
            raise HaspError("gone", "hasp serve has ended.", "What it printed on standard error says why.")
        return reply

    return exchange
