"""Answers the requests of HASP Studio as a target that means ill: python3 hostile-target.py <file with the plan>.

The plan has a reply for each request, by its name: `unbegun` without its begin, `frames` of a header and a body, and `endless`, what comes again
and again behind them until nobody listens. `{path}` stands for that of the first file that is asked for.
"""

import json
import os
import signal
import sys

PIECE = 64 * 1024


def filled(value, request):
    """A value of the plan with the words of the request in it."""
    asked = (request.get("files") or [{}])[0]
    if isinstance(value, dict):
        return {key: filled(one, request) for key, one in value.items()}
    if value == "{path}":
        return asked.get("path")
    return value


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    source, out = sys.stdin.buffer, sys.stdout.buffer
    source.read(int(source.readline()))
    request = json.loads(source.readline().decode("utf-8"))
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    with open(sys.argv[1] + ".asked", "a", encoding="utf-8") as file:
        file.write("%s %d\n" % (request["op"], os.getpid()))
    reply = plan.get(request["op"], {})
    if not reply.get("unbegun"):
        out.write(("\n" + request["begin"] + "\n").encode("utf-8"))
    for header, body in reply.get("frames", []):
        data = body.encode("utf-8")
        out.write((json.dumps(filled(dict(header, bytes=len(data)), request)) + "\n").encode("utf-8"))
        out.write(data)
    out.flush()
    if "endless" in reply:
        piece = reply["endless"].replace("{path}", str(filled("{path}", request))).encode("utf-8")
        whole = piece * (PIECE // len(piece) + 1)
        # No test leaves a process behind: gigabytes are enough.
        for _ in range(4_000_000_000 // len(whole)):
            out.write(whole)
    out.write(b'{"end": true, "bytes": 0}\n')
    out.flush()


main()
os._exit(0)
