"""Content by its SHA-256: it is sent once, and verified before it has its name."""

import contextlib
import hashlib
import os
import shutil

from hasp_target.folders import below, make_private
from hasp_target.frames import PIECE, Refused, read_line

# Contents named in one frame, whose header is bounded.
MOST_NAMED = 200
# Weights are large, so a job that only reads them gets a hard link; everything else is a copy of its own.
LINKED = (".safetensors", ".bin", ".gguf", ".pt")


def digest_of(path):
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(PIECE), b""):
            digest.update(piece)
    return digest.hexdigest()


def missing(root, request):
    """The contents that are not here, each with the bytes of it that arrived before."""
    gone = []
    for digest in request["hashes"]:
        path = root.stored(digest)
        if os.path.exists(path):
            continue
        with contextlib.suppress(OSError):
            gone.append({"hash": digest, "have": os.stat(path + ".part").st_size})
            continue
        gone.append({"hash": digest, "have": 0})
    for at in range(0, max(1, len(gone)), MOST_NAMED):
        yield {"missing": gone[at : at + MOST_NAMED]}, b""


def put(root, _request, stream):
    """Takes contents from the stream, each from the byte on that is not here yet."""
    while True:
        header = read_line(stream)
        if header is None or header.get("end"):
            break
        take(root, header, stream)
        yield {"stored": header["hash"]}, b""


def take(root, header, stream):
    """Takes one content. One that another request is taking meanwhile is taken twice, and one of both is kept."""
    path = root.stored(header["hash"])
    make_private(os.path.dirname(path))
    part = path + ".part"
    left = header["bytes"]
    with open(part, "r+b" if os.path.exists(part) else "w+b") as file:
        file.seek(header["offset"])
        while left > 0:
            piece = stream.read(min(left, PIECE))
            if not piece:
                raise EOFError("the sender is gone")
            file.write(piece)
            left -= len(piece)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    try:
        if digest_of(part) != header["hash"]:
            os.unlink(part)
            raise Refused("damaged", "A file arrived damaged, and was deleted.")
        os.replace(part, path)
    except FileNotFoundError:
        # Another request has finished the same content.
        if not os.path.exists(path):
            raise


def place(root, folder, files):
    """Puts stored contents at their places in a folder. One that is there with its content stays as it is."""
    make_private(folder)
    for one in files:
        target = below(folder, one["at"])
        source = root.stored(one["hash"])
        if not os.path.exists(source):
            raise Refused("missing", "A file is not on the target any more.", hash=one["hash"])
        if os.path.exists(target) and is_same(target, source, one["hash"]):
            continue
        make_private(os.path.dirname(target))
        temporary = "%s.%d.tmp" % (target, os.getpid())
        try:
            if not (one.get("isRead") and target.endswith(LINKED) and linked(source, temporary)):
                shutil.copyfile(source, temporary)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        # A rename onto another link of the same file leaves both names.
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def is_same(target, source, digest):
    """Whether a file has this content."""
    if os.path.samefile(target, source):
        return True
    return os.stat(target).st_size == os.stat(source).st_size and digest_of(target) == digest


def linked(source, target):
    """Whether a hard link could be made: not every disk has them."""
    try:
        os.link(source, target)
    except OSError:
        return False
    return True
