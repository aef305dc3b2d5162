"""A hub on this machine: as much of its protocol as a download needs, with faults on request."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Hub:
    """`files` of the model `owner/name`. All that was asked is in `asked`, as method, path and range."""

    files: dict[str, bytes]
    url: str = ""
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)
    # Answers of a status with the hub's own code instead of the model.
    refusal: tuple[int, str] | None = None
    # A file whose connection breaks once, after so many bytes.
    cut: tuple[str, int] | None = None
    # Sizes that the hub names, where they are not those of the files.
    sizes: dict[str, int] = field(default_factory=dict)

    def gets(self, name: str) -> list[str | None]:
        """Ranges of the downloads of a file."""
        return [part for method, path, part in self.asked if method == "GET" and path.endswith(f"/{name}")]


def handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self.answer(False)

        def do_GET(self) -> None:
            self.answer(True)

        def answer(self, has_body: bool) -> None:
            path = self.path.partition("?")[0]
            hub.asked.append((self.command, path, self.headers.get("Range")))
            if hub.refusal is not None or "/owner/name" not in path:
                status, code = hub.refusal or (401, "RepoNotFound")
                return self.send(status, b"{}", has_body, {"X-Error-Code": code, "X-Error-Message": code})
            if path.startswith("/api/models/owner/name"):
                return self.send(200, self.listing(), has_body, {"Content-Type": "application/json"})
            found = re.fullmatch(rf"/owner/name/resolve/(?:{REVISION}|main)/(.+)", path)
            if found is None or found[1] not in hub.files:
                return self.send(404, b"", has_body, {"X-Error-Code": "EntryNotFound"})
            return self.file(found[1], has_body)

        def listing(self) -> bytes:
            siblings = [
                {"rfilename": name, "size": hub.sizes.get(name, len(content)), "blobId": "0"}
                for name, content in hub.files.items()
            ]
            return json.dumps({"id": "owner/name", "sha": REVISION, "siblings": siblings}).encode()

        def file(self, name: str, has_body: bool) -> None:
            content = hub.files[name]
            headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()}"', "X-Repo-Commit": REVISION}
            part = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
            start = int(part[1]) if part else 0
            if part:
                headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
            if has_body and hub.cut is not None and hub.cut[0] == name:
                after, hub.cut = hub.cut[1], None
                self.send(206 if part else 200, content[start:], False, headers)
                self.wfile.write(content[start : start + after])
                self.wfile.flush()
                self.connection.shutdown(2)
                self.close_connection = True
                return
            self.send(206 if part else 200, content[start:], has_body, headers)

        def send(self, status: int, body: bytes, has_body: bool, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if has_body:
                self.wfile.write(body)

    return Handler


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(hub))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
