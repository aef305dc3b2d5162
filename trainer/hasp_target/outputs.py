"""Results of jobs on their way back."""

import os

from hasp_target.folders import below
from hasp_target.frames import PIECE
from hasp_target.store import digest_of


def manifest(root, request):
    """Every file of the outputs with its size and SHA-256, in the order of their paths."""
    work = root.work(request["group"])
    for wanted in request["paths"]:
        top = below(work, wanted)
        if os.path.isfile(top):
            yield entry(work, top), b""
        for folder, folders, files in os.walk(top):
            folders.sort()
            for name in sorted(files):
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path) and not name.endswith(".tmp"):
                    yield entry(work, path), b""


def entry(work, path):
    """A file as the other side compares it."""
    digest = digest_of(path)
    at = os.path.relpath(path, work).replace(os.sep, "/")
    return {"path": at, "size": os.stat(path).st_size, "hash": digest}


def get(root, request):
    """Files, each from an offset on, and up to so many bytes of it."""
    work = root.work(request["group"])
    for one in request["files"]:
        left = one["bytes"]
        with open(below(work, one["path"]), "rb") as file:
            file.seek(one["offset"])
            while left > 0:
                piece = file.read(min(left, PIECE))
                if not piece:
                    break
                left -= len(piece)
                yield {"path": one["path"]}, piece
        yield {"path": one["path"], "isWhole": True}, b""
