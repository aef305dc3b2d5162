"""Jobs on a target: submitted once whatever happens to the request, looked at, and ended."""

import contextlib
import hashlib
import json
import os
import subprocess
import time

from hasp_target import scheduler
from hasp_target.folders import append_line, below, make_private, now, only_one, read_lines, write_atomic
from hasp_target.frames import PIECE, Refused
from hasp_target.store import place

# Bytes of files in one reply.
MOST_BYTES = 2 * 1024 * 1024
# Bytes before an offset by which a file that was written anew is told from one that grew.
CHECKED_BYTES = 1024
# Seconds between two looks at files, and at the scheduler, while a request waits.
FILE_SECONDS = 0.25
SCHEDULER_SECONDS = 5
# Seconds until a runner that was started must have begun.
BEGIN_SECONDS = 60
# Seconds without a sign of life after which a runner of another machine counts as gone.
SILENT_SECONDS = 120


def place_programs(root, request):
    """Puts the files of programs at their places. Doing it twice changes nothing."""
    for name, files in request["programs"].items():
        program = root.at("programs", os.path.basename(name))
        if not os.path.exists(os.path.join(program, "complete")):
            place(root, program, files)
            write_atomic(os.path.join(program, "complete"), "")


def programs(root, request):
    """Programs alone, before any job."""
    place_programs(root, request)
    yield {}, b""


def stage(root, request):
    """Puts the files of a job at their places: program, inputs, and `job.json` last. Doing it twice changes nothing."""
    place_programs(root, request)
    work = root.work(request["group"])
    make_private(work)
    for folder in request["folders"]:
        make_private(below(work, folder))
    place(root, work, request["files"])
    folder = root.job(request["job"])
    make_private(folder)
    write_atomic(os.path.join(folder, "job.json"), request["spec"])
    yield {"folder": folder, "work": work}, b""


class Job:
    """The folder of a job."""

    def __init__(self, root, job):
        self.root = root
        self.id = job
        self.folder = root.job(job)

    def at(self, *parts):
        """A path in the folder."""
        return os.path.join(self.folder, *parts)

    @property
    def submissions(self):
        """What was submitted so far, one record for each number."""
        found = {}
        for line in read_lines(self.at("submissions.jsonl")):
            found[line["number"]] = dict(found.get(line["number"], {}), **line)
        return [found[number] for number in sorted(found)]

    def record(self, **line):
        """Notes a submission."""
        append_line(self.at("submissions.jsonl"), dict(line, at=now()))

    def states(self):
        """The state files: of the job, and of each task."""
        paths = [self.at("state.jsonl")]
        with contextlib.suppress(OSError):
            paths += [self.at("tasks", task, "state.jsonl") for task in sorted(os.listdir(self.at("tasks")))]
        return [path for path in paths if os.path.exists(path)]

    def attempts(self, path):
        """Attempts of a state file, each with its end where it has one."""
        found = {}
        for line in read_lines(path):
            if line.get("kind") == "attempt":
                found[line["attempt"]] = {"began": line, "end": None}
            elif line.get("kind") == "end" and line.get("attempt") in found:
                found[line["attempt"]]["end"] = line
        return [found[attempt] for attempt in sorted(found)]

    def has_begun(self, number):
        """Whether an attempt of this submission has begun, or its script has."""
        begun = [one["began"].get("submission") for path in self.states() for one in self.attempts(path)]
        return number in begun or os.path.exists(self.at("claim-%d" % number))

    def is_alive(self):
        """Whether the runner of this machine, or of one that shares the disk, lives."""
        path = self.at("runner.lock")
        try:
            with open(path, encoding="utf-8") as file:
                owner = json.loads(file.read())
            silent = time.time() - os.stat(path).st_mtime
        except (OSError, ValueError):
            return False
        with contextlib.suppress(OSError):
            with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
                is_here = (
                    owner.get("boot") == file.read().strip() and owner.get("host") == os.uname().nodename
                )
            if is_here:
                return started(owner["pid"]) == owner.get("start")
        return silent < SILENT_SECONDS


def started(pid):
    """When a process started, in the kernel's words; None where it is gone."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def succeeded(root, job):
    """Whether a job has ended well; None while that is open."""
    other = Job(root, job)
    last = other.submissions[-1] if other.submissions else None
    states = other.states()
    ends = [(other.attempts(path) or [{"end": None}])[-1]["end"] for path in states]
    if last is None or not ends or any(end is None or end["status"] == "interrupted" for end in ends):
        return None
    if len(ends) < last.get("tasks", 1):
        return None
    return all(end["status"] == "succeeded" for end in ends)


def submit(root, request):
    """
    Submits a job, or answers the submission with this number that was made before: by the record of it, by its name at the scheduler, or
    by what it has written. A request that was killed at any moment can be repeated.
    """
    job = Job(root, request["job"])
    number = request["number"]
    with only_one(job.at("submit.lock")):
        known = [one for one in job.submissions if one["number"] == number]
        if not (known and "job" in known[0]):
            known = [found_or_submitted(job, request)]
        yield known[0], b""


def found_or_submitted(job, request):
    """The record of a submission that is made now, or was made by a request that died before it could say so."""
    number, name = request["number"], request["name"]
    if request["kind"] == "ssh":
        began = start_runner(job, request)
    else:
        earlier = known_as(name)
        if earlier is not None:
            began = earlier
        elif job.has_begun(number):
            began = claimed(job, number)
        else:
            began = hand_over(job, request)
    line = {"number": number, "job": began, "name": name, "tasks": request.get("tasks") or 1}
    job.record(**line)
    return line


def known_as(name):
    """The number of the job of that name at the scheduler; None where it knows none."""
    found = scheduler.entries(name)
    return found[0]["id"] if found else None


def claimed(job, number):
    """The number that the script of a submission wrote when it began."""
    with contextlib.suppress(OSError):
        with open(job.at("claim-%d" % number), encoding="utf-8") as file:
            return file.read().strip()
    return ""


def hand_over(job, request):
    """Gives the script to the scheduler. Keys travel in its environment and stand in no file of the job."""
    script = job.at("job-%d.sh" % request["number"])
    write_atomic(script, request["script"])
    options = list(request.get("options", []))
    waits = []
    for other in request.get("after", []):
        how = succeeded(job.root, other)
        if how is False:
            raise Refused("after-failed", "The job %s has failed, so nothing can follow it." % other)
        if how is None:
            submissions = Job(job.root, other).submissions
            if not submissions:
                raise Refused("after-missing", "The job %s was not submitted to this target." % other)
            waits.append(submissions[-1]["job"])
    if waits:
        options += ["--dependency=afterok:%s" % ":".join(waits), "--kill-on-invalid-dep=yes"]
    try:
        return scheduler.submit(script, options, environment(request))
    except Refused as refused:
        found = known_as(request["name"]) if refused.code == "no-number" else None
        if found is None:
            raise
        return found


def environment(request):
    """The variables of this process with the keys of the job."""
    return dict(os.environ, **request.get("env", {}))


def start_runner(job, request):
    """Starts the runner in a session of its own. Of several that are started for one submission one executes it."""
    number = request["number"]
    if job.is_alive() or job.has_begun(number):
        return "runner"
    script = job.at("job-%d.sh" % number)
    write_atomic(script, request["script"])
    with open(job.at("log.txt"), "ab") as log:
        before = log.tell()
        process = subprocess.Popen(
            ["sh", script],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            close_fds=True,
            cwd="/",
            env=environment(request),
        )
    until = time.time() + BEGIN_SECONDS
    while time.time() < until:
        if job.has_begun(number):
            return "runner"
        if process.poll() is not None and not job.is_alive() and not job.has_begun(number):
            with open(job.at("log.txt"), "rb") as log:
                log.seek(before)
                words = log.read(2000).decode("utf-8", "replace").strip()
            raise Refused("no-begin", words or "It ended without a word.")
        time.sleep(0.05)
    raise Refused("no-begin", "It did not begin within %d seconds." % BEGIN_SECONDS)


def file_of(root, request, one):
    """A file that is followed: of the job's folder, or of the folder in which it runs."""
    folder = root.job(request["job"]) if one["base"] == "job" else root.work(request["group"])
    return below(folder, one["path"])


def start_of(path, one):
    """The offset from which the other side lacks the file: 0 where it was written anew."""
    offset = one["offset"]
    try:
        size = os.stat(path).st_size
        if offset == 0:
            return 0
        if size < offset:
            return 0
        with open(path, "rb") as file:
            file.seek(max(0, offset - CHECKED_BYTES))
            digest = hashlib.sha256(file.read(offset - file.tell())).hexdigest()
    except OSError:
        return offset
    return offset if digest == one.get("check") else 0


def growth(path, one, most):
    """The offset and up to `most` of the bytes that the other side lacks; nothing where it lacks none."""
    offset = start_of(path, one)
    with contextlib.suppress(OSError):
        size = os.stat(path).st_size
        if offset == one["offset"] and size <= offset:
            return None
        with open(path, "rb") as file:
            file.seek(offset)
            return offset, file.read(most)
    return None


def grown(root, request):
    """The growth of each file, by its place in the request, as much of it as one reply takes; and whether there may be more."""
    found, left = [], MOST_BYTES
    for i, one in enumerate(request["files"]):
        if left <= 0:
            return found, True
        piece = growth(file_of(root, request, one), one, min(left, one["room"]))
        if piece is not None:
            found.append((i, piece))
            left -= len(piece[1])
    return found, left <= 0


def look(root, request):
    """What was written since, and how the scheduler sees the job. Waits up to `wait` seconds until something is new."""
    until = time.monotonic() + request["wait"]
    job = Job(root, request["job"])
    seen, at = None, 0.0
    while True:
        if seen is None or time.monotonic() - at >= SCHEDULER_SECONDS:
            seen, at = sight(job, request), time.monotonic()
        # After the scheduler: all that a job which has ended wrote is there.
        pieces, is_more = grown(root, request)
        text = json.dumps(seen, sort_keys=True).encode("utf-8")
        key = hashlib.sha256(text).hexdigest()
        if pieces or key != request.get("seen") or time.monotonic() >= until:
            break
        time.sleep(FILE_SECONDS)
    for i, (offset, body) in pieces:
        for at in range(0, max(1, len(body)), PIECE):
            yield {"file": i, "offset": offset + at}, body[at : at + PIECE]
    for at in range(0, len(text), PIECE):
        yield {}, text[at : at + PIECE]
    yield {"key": key, "isMore": is_more}, b""


def sight(job, request):
    """The submission with its entries at the scheduler, or whether its runner lives."""
    found = [one for one in job.submissions if one["number"] == request["number"]]
    record = found[0] if found else None
    is_there = os.path.exists(job.at("job.json"))
    if request["kind"] == "ssh":
        return {"isThere": is_there, "submission": record, "isAlive": job.is_alive(), "entries": []}
    entries, problem = [], None
    if record is not None:
        try:
            entries = scheduler.entries(record["name"], record["job"] or None)
        except Refused as refused:
            problem = {"code": refused.code, "message": str(refused)}
    return {
        "isThere": is_there,
        "submission": record,
        "isAlive": None,
        "entries": entries,
        "problem": problem,
    }


def cancel(root, request):
    """Asks what runs to end at a clean boundary, and takes from the queue what waits. `hard`: ends everything at once."""
    job = Job(root, request["job"])
    number = request["number"]
    with only_one(job.at("submit.lock")):
        for path in job.states():
            last = (job.attempts(path) or [None])[-1]
            if last is not None and last["end"] is None:
                stop = {"kind": "stop", "attempt": last["began"]["attempt"], "at": now()}
                append_line(path, stop)
        if request["kind"] == "ssh":
            if request["hard"]:
                end_runner(job)
        else:
            for record in [one for one in job.submissions if one["number"] == number]:
                leave_queue(job, record, request["hard"])
    yield {}, b""


def leave_queue(job, record, hard):
    """Takes from the queue what waits, and what has a place but has written nothing yet; with `hard` everything."""
    known = scheduler.entries(record["name"], record["job"] or None)
    entries = [one for one in known if one["state"] in scheduler.ACTIVE]
    leaving = [one for one in entries if hard or not is_at_work(job, one)]
    if not leaving:
        return
    if len(leaving) == len(entries):
        # The scheduler may forget it before anybody asks.
        job.record(number=record["number"], isCancelled=True)
        scheduler.cancel(record["job"])
        return
    for one in leaving:
        scheduler.cancel("%s_%d" % (one["id"], one["task"]) if one["task"] is not None else one["id"])


def is_at_work(job, entry):
    """Whether a job or task has an attempt that was asked to end, and will do so by itself."""
    task = entry["task"]
    path = job.at("state.jsonl") if task is None else job.at("tasks", str(task), "state.jsonl")
    last = (job.attempts(path) or [None])[-1]
    return entry["state"] == "RUNNING" and last is not None and last["end"] is None


def end_runner(job):
    """Kills the runner and all that it has started, where it is a process of this machine."""
    if not job.is_alive():
        return
    with contextlib.suppress(OSError, ValueError, KeyError):
        with open(job.at("runner.lock"), encoding="utf-8") as file:
            os.kill(json.loads(file.read())["pid"], 9)
