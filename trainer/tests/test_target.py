"""The program of a target: content by its hash, files that grow, and errors in frames."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
from pathlib import Path

import pytest

from hasp_target import jobs, main, outputs, scheduler, store
from hasp_target.folders import Root, append_line, below, read_lines
from hasp_target.frames import Refused


def sha(data: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def header(data: bytes, offset: int = 0, digest: str | None = None) -> dict:
    """The line before a content, or before what is missing of it."""
    return {"hash": digest or sha(data), "offset": offset, "bytes": len(data) - offset}


@pytest.fixture
def root(tmp_path: Path) -> Root:
    """The folder of a target."""
    return Root(str(tmp_path / "hasp"))


def test_paths_stay_below_their_folder(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path)
    assert below(str(tmp_path / "work"), "a/../b") == str(tmp_path / "work" / "b")
    for path in ("../b", "a/../../b", "/etc/passwd", "link/b"):
        with pytest.raises(ValueError):
            below(str(tmp_path / "work"), path)


def test_content_is_taken_in_parts_and_verified(root: Root) -> None:
    data = b"one two three"
    with pytest.raises(EOFError):
        store.take(root, header(data), io.BytesIO(data[:5]))
    assert list(store.missing(root, {"hashes": [sha(data)]}))[0][0] == {
        "missing": [{"hash": sha(data), "have": 5}]
    }
    store.take(root, header(data, offset=5), io.BytesIO(data[5:]))
    assert Path(root.stored(sha(data))).read_bytes() == data
    assert list(store.missing(root, {"hashes": [sha(data)]}))[0][0] == {"missing": []}


def test_content_that_arrives_damaged_is_deleted(root: Root) -> None:
    with pytest.raises(Refused) as refused:
        store.take(root, header(b"other", digest=sha(b"right")), io.BytesIO(b"other"))
    assert refused.value.code == "damaged"
    assert list(store.missing(root, {"hashes": [sha(b"right")]}))[0][0]["missing"][0]["have"] == 0


def test_weights_are_linked_only_where_the_job_reads_them_alone(root: Root, tmp_path: Path) -> None:
    data = b"weights"
    store.take(root, header(data), io.BytesIO(data))
    places = [("read.safetensors", True), ("written.safetensors", False), ("read.json", True)]
    files = [{"at": at, "hash": sha(data), "isRead": is_read} for at, is_read in places]
    store.place(root, str(tmp_path / "work"), files)
    stored = Path(root.stored(sha(data)))
    linked = [at for at, _ in places if (tmp_path / "work" / at).samefile(stored)]
    assert linked == ["read.safetensors"]
    (tmp_path / "work" / "written.safetensors").write_bytes(b"trained")
    assert stored.read_bytes() == data


@pytest.mark.parametrize(
    ("had", "now", "expected"),
    [
        (b"", b"abc", (0, b"abc")),
        (b"abc", b"abcdef", (3, b"def")),
        (b"abc", b"abc", None),
        # Cut back by a training that resumes.
        (b"abcdef", b"abc", (0, b"abc")),
        # Cut back, and grown beyond its old size with other lines.
        (b"abcdef", b"abXdefgh", (0, b"abXdefgh")),
        (b"abc", b"", (0, b"")),
    ],
)
def test_growth_of_a_file(tmp_path: Path, had: bytes, now: bytes, expected: tuple[int, bytes] | None) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(now)
    one = {"offset": len(had), "check": sha(had[-1024:]) if had else None}
    grown = jobs.growth(str(path), one, 100)
    assert (grown[:2] if grown else None) == expected


def test_a_program_is_placed_once_without_a_job(root: Root) -> None:
    data = b"print('hasp')"
    store.take(root, header(data), io.BytesIO(data))
    request = {"programs": {"hasp-1": [{"at": "dist/hasp.cjs", "hash": sha(data)}]}}
    for _ in range(2):
        assert list(jobs.programs(root, request)) == [({}, b"")]
    assert Path(root.at("programs", "hasp-1", "dist", "hasp.cjs")).read_bytes() == data
    assert not Path(root.at("jobs")).exists()


def test_a_line_after_half_a_line_is_a_line(tmp_path: Path) -> None:
    path = str(tmp_path / "state.jsonl")
    append_line(path, {"a": 1})
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"half": ')
    append_line(path, {"b": 2})
    assert read_lines(path) == [{"a": 1}, {"b": 2}]


def boot() -> str:
    """This boot of this machine."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()


@pytest.mark.parametrize(
    ("owner", "age", "is_alive"),
    [
        ({"pid": os.getpid(), "start": jobs.started(os.getpid())}, 0, True),
        ({"pid": os.getpid(), "start": "1"}, 0, False),
        ({"pid": 2**22 + 1, "start": "1"}, 0, False),
        # Another machine that shares the disk: only its signs of life are seen.
        ({"pid": 1, "start": "1", "host": "elsewhere"}, 10, True),
        ({"pid": 1, "start": "1", "host": "elsewhere"}, 600, False),
    ],
)
def test_whether_a_runner_lives(root: Root, owner: dict, age: int, is_alive: bool) -> None:
    job = jobs.Job(root, "one")
    Path(job.folder).mkdir(parents=True)
    lock = Path(job.at("runner.lock"))
    lock.write_text(json.dumps({"host": os.uname().nodename, "boot": boot(), **owner}), encoding="utf-8")
    then = lock.stat().st_mtime - age
    os.utime(lock, (then, then))
    assert job.is_alive() is is_alive


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "no-space"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "no-space"),
        (OSError(errno.EACCES, "Permission denied"), "io"),
        (Refused("sbatch", "no"), "sbatch"),
    ],
)
def test_errors_end_the_reply(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception, code: str
) -> None:
    def failing(_root: Root, _request: dict) -> None:
        raise error

    monkeypatch.setitem(main.REQUESTS, "look", failing)
    out = io.BytesIO()
    request = {"op": "look", "root": str(tmp_path), "begin": "begin"}
    main.serve(io.BytesIO((json.dumps(request) + "\n").encode()), out)
    begin, end = out.getvalue().decode().strip().splitlines()
    assert begin == "begin"
    assert json.loads(end)["refused"]["code"] == code


def submission(**fields: object) -> dict:
    """A request to submit the job `one`."""
    order = {"job": "one", "number": 1, "name": "hasp-one-1", "kind": "slurm", "script": "", "tasks": 1}
    return dict(order, **fields)


@pytest.mark.parametrize("known", [True, False])
def test_job_whose_number_is_hidden_is_found_by_its_name(
    root: Root, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    Path(root.job("one")).mkdir(parents=True)
    handed = []

    def run(args: list[str], *_more: object) -> scheduler.Answer:
        if args[0] == "sbatch":
            handed.append(args)
            return scheduler.Answer(0, "Thank you for your job\n", "")
        is_there = known and handed and args[0] == "squeue"
        return scheduler.Answer(0, "77|PENDING|Priority|hasp-one-1\n" if is_there else "", "")

    monkeypatch.setattr(scheduler, "run", run)
    if known:
        for _ in range(2):
            assert next(jobs.submit(root, submission()))[0]["job"] == "77"
    else:
        with pytest.raises(Refused, match="Thank you for your job"):
            next(jobs.submit(root, submission()))
        assert jobs.Job(root, "one").submissions == []
    assert len(handed) == 1


def test_look_is_cut_into_pieces(root: Root) -> None:
    folder = Path(root.job("one"))
    folder.mkdir(parents=True)
    (folder / "log.txt").write_bytes(b"x" * (3 * 1024 * 1024))
    (folder / "state.jsonl").write_bytes(b"y" * 100)
    files = [
        {"base": "job", "path": name, "offset": 0, "room": room}
        for name, room in (("state.jsonl", 10), ("log.txt", 10**9), ("later.txt", 10))
    ]
    request = {"job": "one", "group": "one", "kind": "ssh", "number": 1, "wait": 0, "files": files}
    frames = list(jobs.look(root, request))
    assert max(len(body) for _, body in frames) <= 256 * 1024
    taken = {i: sum(len(body) for one, body in frames if one.get("file") == i) for i in range(3)}
    # The reply is full before the log is whole.
    assert taken == {0: 10, 1: 2 * 1024 * 1024 - 10, 2: 0}
    assert frames[-1][0]["isMore"] is True
    sight = b"".join(body for one, body in frames if not one)
    assert hashlib.sha256(sight).hexdigest() == frames[-1][0]["key"]
    again = dict(request, seen=frames[-1][0]["key"], files=[dict(files[2])])
    assert list(jobs.look(root, again))[-1] == ({"key": frames[-1][0]["key"], "isMore": False}, b"")


def test_many_missing_contents_are_named_in_several_frames(root: Root) -> None:
    hashes = [sha(b"%d" % i) for i in range(1000)]
    frames = [frame for frame, _ in store.missing(root, {"hashes": hashes})]
    assert [one["hash"] for frame in frames for one in frame["missing"]] == hashes
    assert max(len(json.dumps(frame)) for frame in frames) < 64 * 1024


def test_output_is_sent_no_further_than_was_asked(root: Root) -> None:
    work = Path(root.work("one"))
    work.mkdir(parents=True)
    (work / "grows.txt").write_bytes(b"1234567890")
    request = {"group": "one", "files": [{"path": "grows.txt", "offset": 2, "bytes": 5}]}
    assert [body for _, body in outputs.get(root, request)] == [b"34567", b""]
