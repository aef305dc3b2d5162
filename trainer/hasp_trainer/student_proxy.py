"""The HTTP server of a student: forwards three routes to its engine, for whoever has the key.

Engines have more routes, which load other models, unload the present one or change adapters, and answer everybody who
reaches them. So an engine listens out of reach (`engine_address`), and each request to it comes through here.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any

import httpx2
import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from hasp_trainer.engine_address import EngineAddress
from hasp_trainer.errors import Refused

ROUTES = {"/v1/chat/completions": "POST", "/v1/models": "GET", "/health": "GET"}
"""Paths that are forwarded, each with its method."""
KEPT = (b"content-type", b"content-length")
"""Headers of a reply that the client gets."""
LARGEST_BODY = 64 * 1024 * 1024
"""Bytes of a request; a prompt of a million tokens has about 4 million."""
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
BACKLOG = 1024
END_SECONDS = 5.0


class Unacceptable(Exception):
    """A request that is answered here, with a status and a reason."""

    def __init__(self, status: int, reason: str, **headers: str) -> None:
        super().__init__(reason)
        self.response = JSONResponse({"error": {"message": reason}}, status, headers)


class Proxy:
    """An ASGI application that forwards to an engine. `port` is its own."""

    def __init__(self, engine: EngineAddress, key: str, port: int) -> None:
        self.authorization = f"Bearer {key}".encode()
        self.hosts = frozenset(f"{name}:{port}" for name in OWN_NAMES)
        # A socket ignores it.
        self.address = f"http://127.0.0.1:{engine.port}"
        # The transport alone: a client would keep the cookies of one call for the next. Connections are not reused: an
        # engine may close one in the moment in which the next call takes it.
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
        self.engine = httpx2.AsyncHTTPTransport(uds=engine.socket, limits=limits, trust_env=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            path = self.check(request)
            body = await body_of(request) if request.method == "POST" else None
            await unless_gone(receive, self.forward(request.method, path, body, send))
        except Unacceptable as end:
            await end.response(scope, receive, send)
        except ClientDisconnect:
            # In the midst of its body.
            return

    def check(self, request: Request) -> str:
        """The path that is asked for. Raises Unacceptable."""
        host, origin, given = (request.headers.getlist(name) for name in ("host", "origin", "authorization"))
        if len(host) != 1 or host[0].lower() not in self.hosts:
            # A name that a web page's owner points at this machine.
            raise Unacceptable(403, "The Host header names another server.")
        if any(one.removeprefix("http://") not in self.hosts for one in origin):
            raise Unacceptable(403, "Web pages cannot use this server.")
        if len(given) != 1 or not hmac.compare_digest(given[0].encode(), self.authorization):
            raise Unacceptable(
                401, "The key of this student is missing or wrong.", **{"www-authenticate": "Bearer"}
            )
        path = request.scope["path"]
        method = ROUTES.get(path)
        if method is None:
            raise Unacceptable(404, "There is no such route.")
        if request.method != method:
            raise Unacceptable(405, f"Only {method} is answered here.", allow=method)
        return path

    async def forward(self, method: str, path: str, body: bytes | None, send: Send) -> None:
        headers = {"accept-encoding": "identity"}
        if body is not None:
            headers["content-type"] = "application/json"
        # No time limit: the client has one, and disconnects.
        asked = httpx2.Request(method, f"{self.address}{path}", content=body, headers=headers)
        try:
            reply = await self.engine.handle_async_request(asked)
        except httpx2.HTTPError:
            raise Unacceptable(502, "The engine does not answer.") from None
        try:
            kept = [(name, value) for name, value in reply.headers.raw if name.lower() in KEPT]
            await send({"type": "http.response.start", "status": reply.status_code, "headers": kept})
            async for piece in reply.aiter_raw():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except httpx2.HTTPError:
            # Left open: the server ends the connection, and the client sees that something is missing.
            return
        finally:
            await reply.aclose()
        await send({"type": "http.response.body", "body": b""})


async def body_of(request: Request) -> bytes:
    """The body of a request with JSON. Raises Unacceptable."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        # A form of a web page, which a browser sends without asking first, has another type.
        raise Unacceptable(415, "Content-Type must be application/json.")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_BODY:
            raise Unacceptable(413, f"A request has at most {LARGEST_BODY} bytes.", connection="close")
    return bytes(body)


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, None]) -> None:
    """Does the work, and cancels it if the client disconnects, so that the engine stops generating."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.ensure_future(one) for one in (work, gone())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not tasks[0].cancelled():
        tasks[0].result()


class StudentServer:
    """The proxy on a port of the loopback address, in a thread of its own while the context is open."""

    def __init__(self, engine: EngineAddress, key: str, port: int) -> None:
        """Port 0 takes a free one. Raises Refused where the port is taken."""
        self.socket = socket.socket()
        try:
            self.socket.bind(("127.0.0.1", port))
            # Clients that connect before the thread runs wait for it.
            self.socket.listen(BACKLOG)
        except OSError as error:
            self.socket.close()
            raise Refused(
                f"Port {port} cannot be used: {error}.", "Take another one, or 0 for a free one."
            ) from None
        self.port = int(self.socket.getsockname()[1])
        self.server = uvicorn.Server(
            uvicorn.Config(
                Proxy(engine, key, self.port),
                # The stricter one of its two parsers.
                http="h11",
                ws="none",
                lifespan="off",
                log_level="error",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],), daemon=True)

    def __enter__(self) -> StudentServer:
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.should_exit = True
        self.thread.join(END_SECONDS)
        self.socket.close()
