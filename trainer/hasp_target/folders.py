"""The folder of HASP Studio on a target, and safe ways to write in it."""

import contextlib
import fcntl
import json
import os
import re
import time

NAME = re.compile(r"^[a-z0-9][a-z0-9-]{0,99}$")
HASH = re.compile(r"^[0-9a-f]{64}$")


def named(value):
    """The name of a job or a group; ValueError for anything that could lead elsewhere."""
    if not isinstance(value, str) or not NAME.match(value):
        raise ValueError("not a name: %r" % (value,))
    return value


class Root:
    """Paths below the folder of a target."""

    def __init__(self, folder):
        self.folder = os.path.abspath(os.path.expanduser(folder))

    def at(self, *parts):
        """A path below the folder."""
        return os.path.join(self.folder, *parts)

    def job(self, job):
        """The folder of a job."""
        return self.at("jobs", named(job))

    def work(self, group):
        """The folder in which the jobs of a group run."""
        return self.at("work", named(group))

    def stored(self, digest):
        """The place of content by its SHA-256."""
        if not HASH.match(digest):
            raise ValueError("not a hash: %r" % (digest,))
        return self.at("store", digest[:2], digest)


def below(folder, relative):
    """A path that stays below `folder`; ValueError otherwise, also where a link leads out."""
    path = os.path.normpath(os.path.join(folder, relative))
    inside = os.path.realpath(folder) + os.sep
    if os.path.isabs(relative) or not (os.path.realpath(path) + os.sep).startswith(inside):
        raise ValueError("leads out of its folder: %r" % (relative,))
    return path


def make_private(folder):
    """Makes a folder that only its owner enters."""
    os.makedirs(folder, mode=0o700, exist_ok=True)


def write_atomic(path, text):
    """Replaces a file as a whole or not at all; it is on the disk afterwards."""
    temporary = "%s.%d.tmp" % (path, os.getpid())
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def append_line(path, value):
    """Appends a line of JSON, which is on the disk afterwards. Half a line of an interrupted writer is ended first."""
    with open(path, "ab+") as file:
        size = file.seek(0, os.SEEK_END)
        if size > 0:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write((json.dumps(value) + "\n").encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())


def read_lines(path):
    """The lines of a JSONL file that are whole; none where there is no file."""
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    values = []
    for line in lines:
        with contextlib.suppress(ValueError):
            value = json.loads(line.decode("utf-8"))
            if isinstance(value, dict):
                values.append(value)
    return values


@contextlib.contextmanager
def only_one(path):
    """Waits until no other request holds the lock. The kernel gives it back when its holder dies."""
    with open(path, "a") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def now():
    """ISO 8601 in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
