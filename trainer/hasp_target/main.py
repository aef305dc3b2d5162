"""Answers one request: a line of JSON on standard input, with bytes behind it for `put`."""

import errno
import os
import signal
import sys

from hasp_target import jobs, machine, outputs, store
from hasp_target.folders import Root
from hasp_target.frames import Refused, Replies, read_line

REQUESTS = {
    "probe": machine.probe,
    "rehearse": machine.rehearse,
    "prepare": machine.prepare,
    "describe": machine.describe,
    "fetchModels": machine.fetch_models,
    "missing": store.missing,
    "programs": jobs.programs,
    "stage": jobs.stage,
    "submit": jobs.submit,
    "look": jobs.look,
    "cancel": jobs.cancel,
    "manifest": outputs.manifest,
    "get": outputs.get,
}
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
# Frames of these are wanted one by one.
LIVE = ("prepare", "fetchModels", "put")


def answer(root, request, stream, replies):
    """Sends the frames of the reply."""
    name = request["op"]
    frames = store.put(root, request, stream) if name == "put" else REQUESTS[name](root, request)
    for frame, body in frames:
        replies.send(frame, body)
        if name in LIVE:
            replies.flush()


def serve(stream, out):
    """Reads the request, answers it, and ends with a frame that says how it went."""
    request = read_line(stream)
    os.umask(0o077)
    replies = Replies(out, request["begin"])
    replies.flush()
    try:
        answer(Root(request["root"]), request, stream, replies)
        replies.send({"end": True})
    except Refused as refused:
        replies.send({"end": True, "refused": dict(refused.fields, code=refused.code, message=str(refused))})
    except OSError as error:
        code = "no-space" if error.errno in NO_SPACE else "io"
        words = "%s: %s" % (error.filename, error.strerror) if error.filename else str(error)
        replies.send({"end": True, "refused": {"code": code, "message": words}})
    replies.flush()


def main():
    """A link that is cut ends the request: nobody would read its reply."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    serve(sys.stdin.buffer, sys.stdout.buffer)
