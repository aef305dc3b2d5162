"""Requests and replies: a line of JSON each, followed by as many bytes as its field `bytes` says."""

import json

# A piece of a file; small enough that a cut link loses little, large enough that lines of JSON cost nothing.
PIECE = 256 * 1024


class Refused(Exception):
    """The request cannot be carried out: `code` for programs, the message and what to do for people."""

    def __init__(self, code, message, **fields):
        super().__init__(message)
        self.code = code
        self.fields = fields


def read_exactly(stream, size):
    """Exactly `size` bytes; EOFError where the sender is gone before."""
    pieces = []
    while size > 0:
        piece = stream.read(min(size, PIECE))
        if not piece:
            raise EOFError("the sender is gone")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def read_line(stream):
    """A line of JSON; None at the end. Half a line is EOFError."""
    line = stream.readline()
    if not line:
        return None
    if not line.endswith(b"\n"):
        raise EOFError("the sender is gone")
    return json.loads(line.decode("utf-8"))


class Replies:
    """Writes the frames of one reply. `begin` is a line that nothing before it can hold: start files of shells write, too."""

    def __init__(self, stream, begin):
        self.stream = stream
        self.stream.write(("\n" + begin + "\n").encode("utf-8"))

    def send(self, frame, body=b""):
        """One frame, and its bytes."""
        self.stream.write((json.dumps(dict(frame, bytes=len(body))) + "\n").encode("utf-8"))
        self.stream.write(body)

    def flush(self):
        """All frames so far reach the other side."""
        self.stream.flush()
