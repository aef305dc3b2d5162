"""The proxy before an engine: a loopback stand-in with an engine's other routes shows what reaches it, and what does not."""

from __future__ import annotations

import http.client
import json
import socket
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hasp_trainer.engine_address import address_in
from hasp_trainer.errors import Refused
from hasp_trainer.student_proxy import LARGEST_BODY, StudentServer

KEY = "ab" * 32
CHAT = "/v1/chat/completions"
BODY = json.dumps({"model": "student", "messages": []}).encode()
ASK = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}


class StandIn(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """An engine that answers every route, as vLLM and `transformers serve` have more than three."""

    daemon_threads = True

    def __init__(self, path: str) -> None:
        self.seen: list[tuple[str, str, bytes, dict[str, str]]] = []
        # Set: a stream goes on after its first piece.
        self.go_on = threading.Event()
        # Set when a client has gone while its reply was under way.
        self.left = threading.Event()
        super().__init__(path, Handler)

    def get_request(self) -> tuple[socket.socket, Any]:
        return self.socket.accept()[0], ("engine", 0)


class Handler(BaseHTTPRequestHandler):
    server: StandIn
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def log_message(self, *given: object) -> None:
        pass

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.command, self.path, body, headers))
        asked = json.loads(body or b"{}")
        if asked.get("hang"):
            self.await_end()
        elif asked.get("stream"):
            self.stream(asked)
        else:
            self.reply(
                400 if asked.get("model") == "other" else 200, json.dumps({"path": self.path}).encode()
            )

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("set-cookie", "engine=1")
        self.end_headers()
        self.wfile.write(body)

    def stream(self, asked: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self.piece(b'data: {"first": 1}\n\n')
        if asked.get("breaks"):
            self.close_connection = True
            return
        if asked.get("endless"):
            return self.await_end()
        self.server.go_on.wait(30)
        self.piece(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def piece(self, text: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
        self.wfile.flush()

    def await_end(self) -> None:
        self.connection.settimeout(30)
        if self.connection.recv(1) == b"":
            self.server.left.set()
        self.close_connection = True


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StandIn, int]]:
    address = address_in(tmp_path_factory.mktemp("engine"))
    assert address.socket is not None
    with StandIn(address.socket) as engine, StudentServer(address, KEY, 0) as server:
        thread = threading.Thread(target=engine.serve_forever, args=(0.01,))
        thread.start()
        yield engine, server.port
        engine.shutdown()
        thread.join()


@pytest.fixture
def engine(started: tuple[StandIn, int]) -> Iterator[StandIn]:
    """The engine, which has seen nothing yet."""
    engine, _ = started
    engine.seen.clear()
    engine.go_on.clear()
    engine.left.clear()
    yield engine
    engine.go_on.set()


@pytest.fixture
def student(started: tuple[StandIn, int], engine: StandIn) -> int:
    """The port of the proxy."""
    return started[1]


def ask(
    port: int, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        reply = connection.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
    finally:
        connection.close()


def test_three_routes_are_forwarded_with_no_key_and_no_headers_of_the_client(
    engine: StandIn, student: int
) -> None:
    private = {"cookie": "a=b", "x-request-id": "1", "x-forwarded-for": "9.9.9.9"}
    assert ask(student, "GET", "/health", headers={**ASK, **private})[0] == 200
    assert ask(student, "GET", "/v1/models?limit=1", headers=ASK)[2] == b'{"path": "/v1/models"}'
    status, headers, body = ask(student, "POST", CHAT, BODY, {**ASK, **private})
    assert (status, body, headers["content-type"]) == (
        200,
        b'{"path": "%s"}' % CHAT.encode(),
        "application/json",
    )
    assert "set-cookie" not in headers
    assert [one[:3] for one in engine.seen] == [
        ("GET", "/health", b""),
        ("GET", "/v1/models", b""),
        ("POST", CHAT, BODY),
    ]
    for *_, sent in engine.seen:
        assert KEY not in str(sent)
        assert not {"authorization", "cookie", "x-request-id", "x-forwarded-for"} & set(sent)


def test_a_refusal_of_the_engine_is_passed_on(student: int) -> None:
    assert ask(student, "POST", CHAT, b'{"model": "other"}', ASK)[0] == 400


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/reset"),
        ("POST", "/load_model"),
        ("POST", "/v1/load_lora_adapter"),
        ("POST", "/v1/unload_lora_adapter"),
        ("POST", "/v1/completions"),
        ("POST", "/v1/responses"),
        ("POST", "/v1/audio/transcriptions"),
        ("POST", "/tokenize"),
        ("GET", "/metrics"),
        ("GET", "/docs"),
        ("GET", "/openapi.json"),
        ("GET", "/"),
        ("POST", f"{CHAT}/"),
        ("POST", f"/{CHAT}"),
        ("POST", "/health/../reset"),
        ("POST", "/v1/chat/completions/../../load_model"),
        ("POST", "/V1/chat/completions"),
    ],
)
def test_no_other_route_reaches_the_engine(engine: StandIn, student: int, method: str, path: str) -> None:
    assert ask(student, method, path, BODY, ASK)[0] == 404
    assert engine.seen == []


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", CHAT), ("POST", "/health"), ("HEAD", "/health"), ("OPTIONS", CHAT), ("DELETE", "/v1/models")],
)
def test_no_other_method_reaches_the_engine(engine: StandIn, student: int, method: str, path: str) -> None:
    assert ask(student, method, path, None, ASK)[0] == 405
    assert engine.seen == []


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": f"Bearer {KEY[:-1]}"},
        {"authorization": f"Bearer {KEY}0"},
        {"authorization": f"Bearer {'ac' * 32}"},
        {"authorization": f"Basic {KEY}"},
        {"authorization": KEY},
        {"authorization": "Bearer é"},
        {"x-api-key": KEY},
    ],
    ids=repr,
)
@pytest.mark.parametrize(("method", "path"), [("POST", CHAT), ("GET", "/health"), ("POST", "/reset")])
def test_nothing_is_answered_without_the_key(
    engine: StandIn, student: int, given: dict[str, str], method: str, path: str
) -> None:
    headers = {"content-type": "application/json", **given}
    assert ask(student, method, path, BODY if method == "POST" else None, headers)[0] == 401
    assert engine.seen == []


@pytest.mark.parametrize(
    "host",
    [
        "evil.com",
        "evil.com:{port}",
        "localhost",
        "127.0.0.1",
        "127.0.0.1:{other}",
        "127.0.0.1.evil.com:{port}",
        "",
    ],
)
def test_another_host_is_refused(engine: StandIn, student: int, host: str) -> None:
    """A page whose name leads to this machine has the page's origin, and the key would be its only obstacle."""
    named = host.format(port=student, other=student + 1)
    assert ask(student, "POST", CHAT, BODY, {**ASK, "host": named})[0] == 403
    assert engine.seen == []


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_own_names_are_taken(student: int, name: str) -> None:
    own = f"{name}:{student}"
    assert ask(student, "POST", CHAT, BODY, {**ASK, "host": own})[0] == 200
    assert ask(student, "POST", CHAT, BODY, {**ASK, "origin": f"http://{own.lower()}"})[0] == 200


@pytest.mark.parametrize("origin", ["https://evil.com", "null", "http://localhost:1", "http://127.0.0.1"])
def test_a_web_page_is_refused(engine: StandIn, student: int, origin: str) -> None:
    assert ask(student, "POST", CHAT, BODY, {**ASK, "origin": origin})[0] == 403
    assert engine.seen == []


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "json"]
)
def test_a_form_of_a_page_is_refused(engine: StandIn, student: int, kind: str) -> None:
    assert ask(student, "POST", CHAT, BODY, {**ASK, "content-type": kind})[0] == 415
    assert engine.seen == []


def raw(port: int, head: list[str], body: Iterator[bytes] | list[bytes] = ()) -> bytes:
    """The answer to bytes as they are; the rest of a body is dropped where the other side has closed."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        try:
            for piece in body:
                connection.sendall(piece)
        except OSError:
            pass
        answer = b""
        try:
            while b"\r\n" not in answer and (piece := connection.recv(65536)):
                answer += piece
        except ConnectionResetError:
            pass
        return answer.partition(b"\r\n")[0]


def head_of(port: int, *more: str) -> list[str]:
    lines = [f"POST {CHAT} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Type: application/json"]
    return [*lines, f"Authorization: Bearer {KEY}", *more]


def test_a_body_that_does_not_end_is_cut_off(engine: StandIn, student: int) -> None:
    size = 1 << 20
    many = LARGEST_BODY // size + 8
    pieces = (b"%x\r\n%s\r\n" % (size, b" " * size) for _ in range(many))
    assert b" 413 " in raw(student, head_of(student, "Transfer-Encoding: chunked"), pieces)
    assert engine.seen == []


@pytest.mark.parametrize(
    "more",
    [
        ["Content-Length: 4", "Content-Length: 5"],
        ["Host: evil.com"],
        ["Authorization: Bearer none"],
        ["Origin: http://evil.com", "Origin: http://127.0.0.1"],
        ["Transfer-Encoding: gzip"],
    ],
    ids=repr,
)
def test_a_request_that_can_be_read_in_two_ways_is_refused(
    engine: StandIn, student: int, more: list[str]
) -> None:
    status = raw(student, head_of(student, *more), [b"0\r\n\r\n"]).split(b" ")[1]
    assert status.startswith(b"4") or status == b"501"
    assert engine.seen == []


def test_a_stream_comes_piece_by_piece(engine: StandIn, student: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", student, timeout=30)
    connection.request("POST", CHAT, b'{"stream": true}', ASK)
    reply = connection.getresponse()
    assert reply.getheader("content-type") == "text/event-stream"
    assert reply.readline() == b'data: {"first": 1}\n'
    # The engine waits for this: the piece above was not held back.
    engine.go_on.set()
    assert reply.read() == b"\ndata: [DONE]\n\n"
    connection.close()


@pytest.mark.parametrize("asked", [b'{"hang": true}', b'{"stream": true, "endless": true}'])
def test_a_client_that_leaves_ends_the_work_of_the_engine(
    engine: StandIn, student: int, asked: bytes
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", student, timeout=30)
    connection.request("POST", CHAT, asked, ASK)
    if b"stream" in asked:
        assert connection.getresponse().readline() == b'data: {"first": 1}\n'
    connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    assert engine.left.wait(30)


def test_a_reply_that_breaks_off_is_no_whole_one(student: int) -> None:
    with pytest.raises(http.client.IncompleteRead):
        ask(student, "POST", CHAT, b'{"stream": true, "breaks": true}', ASK)


def test_an_engine_that_is_not_there_is_told(tmp_path: Path) -> None:
    with StudentServer(address_in(tmp_path), KEY, 0) as server:
        status, _, body = ask(server.port, "GET", "/health", headers=ASK)
    assert (status, json.loads(body)) == (502, {"error": {"message": "The engine does not answer."}})


def test_many_calls_at_once_reach_the_engine(engine: StandIn, student: int) -> None:
    connections = [http.client.HTTPConnection("127.0.0.1", student, timeout=30) for _ in range(150)]
    for connection in connections:
        connection.request("POST", CHAT, b'{"stream": true}', ASK)
    replies = [connection.getresponse() for connection in connections]
    # All are under way at the same time: each has its first piece, and none has ended.
    assert [reply.readline() for reply in replies] == [b'data: {"first": 1}\n'] * 150
    engine.go_on.set()
    assert all(reply.read().endswith(b"[DONE]\n\n") for reply in replies)
    for connection in connections:
        connection.close()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(Refused, match=f"Port {port} cannot be used"):
            StudentServer(address_in(tmp_path), KEY, port)


def test_a_folder_with_a_long_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="too long for a socket"):
        address_in(tmp_path / ("long" * 30))


def test_without_unix_sockets_the_engine_is_on_a_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.delattr(socket, "AF_UNIX")
        address = address_in(tmp_path)
    assert address.arguments == ["--host", "127.0.0.1", "--port", str(address.port)]
    with ThreadingHTTPServer(("127.0.0.1", address.port), Handler) as engine:
        engine.seen = []
        thread = threading.Thread(target=engine.serve_forever, args=(0.01,))
        thread.start()
        with StudentServer(address, KEY, 0) as server:
            answered = [ask(server.port, "POST", path, BODY, ASK)[0] for path in (CHAT, "/reset")]
        engine.shutdown()
        thread.join()
    assert (answered, [path for _, path, *_ in engine.seen]) == ([200, 404], [CHAT])
