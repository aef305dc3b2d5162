"""SLURM, as far as a job needs it. Clusters differ in how they remember an end: sacct, sacct -c, scontrol, or none of them."""

import re
import subprocess

from hasp_target.frames import Refused

SECONDS = 40
JOB_ID = re.compile(r"^(\d+)")
# With --parsable, and as a wrapper that leaves the option out answers.
SUBMITTED = (
    re.compile(r"^([0-9]{1,20})(?:;[\w.-]+)?$"),
    re.compile(r"^Submitted batch job ([0-9]{1,20})(?: on cluster [\w.-]+)?$"),
)
FIELD = re.compile(r"(\S+?)=(\S*)")
# Every job of a name, with tasks of arrays one by one.
SQUEUE = ["squeue", "--noheader", "--array", "--states=all", "--format=%i|%T|%r|%j"]
UNREACHABLE = (
    "unable to contact slurm",
    "socket timed out",
    "connection refused",
    "communication connection",
)


# How sacct writes that a job never had a node: with accounting, and from jobcomp.
NO_NODES = ("None assigned", "(null)")
SACCT = ["--format=JobID,JobName,State,ExitCode,NodeList", "--noheader", "--parsable2"]


class Answer:
    """The output of a program."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def is_unreachable(self):
        """Whether the controller did not answer, so that nothing is known."""
        text = self.err.lower()
        return any(word in text for word in UNREACHABLE)


def run(args, env=None, text=""):
    """Runs a program of the scheduler, with `text` as its input; None where it is not installed."""
    try:
        done = subprocess.run(
            args,
            input=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=SECONDS,
            env=env,
        )
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired:
        return Answer(1, "", "socket timed out after %d s" % SECONDS)
    return Answer(done.returncode, done.stdout, done.stderr.strip())


def task_of(job):
    """The task of `12_3`; None for a job without tasks."""
    _, _, task = job.partition("_")
    return int(task) if task.isdigit() else None


def id_of(job):
    """The number of the job, or of the array that a task belongs to."""
    match = JOB_ID.match(job)
    return match.group(1) if match else ""


def entry(job, state, reason="", code=None):
    """A job or task as the scheduler sees it. `state` loses what follows it, as in `CANCELLED by 0`."""
    exit_code, _, signal = (code or "").partition(":")
    return {
        "id": id_of(job),
        "task": task_of(job),
        "state": state.split(" ")[0].rstrip("+"),
        "reason": "" if reason == "None" else reason,
        "exitCode": int(exit_code) if exit_code.isdigit() else None,
        "signal": int(signal) if signal.isdigit() else None,
    }


def was_refused(state, reason="", nodes=""):
    """
    Whether this is what a refused sbatch leaves: where no node could ever run the job, SLURM keeps a failed one of
    that name, although sbatch said no.
    """
    return state.startswith("FAILED") and (reason == "BadConstraints" or nodes in NO_NODES)


def by_task(found):
    """The last entry of each job or task: `sacct -c` has one for each run of a job that was queued again."""
    return {(one["id"], one["task"]): one for one in found}


def of_squeue(text, name):
    """Jobs of that name in the queue."""
    rows = [line.strip().split("|", 3) for line in text.splitlines() if line.strip()]
    return [
        entry(row[0], row[1], row[2])
        for row in rows
        if len(row) == 4 and row[3] == name and not was_refused(row[1], reason=row[2])
    ]


def of_sacct(text, name):
    """Jobs of that name that sacct remembers, without steps, and without tasks that wait together as `12_[3-9]`."""
    rows = [line.split("|") for line in text.splitlines()]
    return [
        entry(row[0], row[2], "", row[3])
        for row in rows
        if len(row) >= 4
        and row[1] == name
        and not re.search(r"[.[]", row[0])
        and not was_refused(row[2], nodes="".join(row[4:5]))
    ]


def of_scontrol(text, name):
    """Jobs that scontrol shows, one on each line."""
    found = []
    for line in text.splitlines():
        fields = dict(FIELD.findall(line))
        if fields.get("JobName") != name or "JobState" not in fields:
            continue
        array, task = fields.get("ArrayJobId"), fields.get("ArrayTaskId")
        job = "%s_%s" % (array, task) if array and task else fields.get("JobId", "")
        found.append(entry(job, fields["JobState"], fields.get("Reason", ""), fields.get("ExitCode")))
    return found


def in_queue(name):
    """Entries of squeue. Refuses where the controller does not answer: nothing may be concluded then."""
    answer = run(SQUEUE + ["--name=%s" % name])
    if answer is None:
        raise Refused("no-slurm", "squeue is not there.")
    if answer.code != 0:
        code = "no-controller" if answer.is_unreachable else "slurm"
        raise Refused(code, answer.err or "squeue ended with %d" % answer.code)
    return of_squeue(answer.out, name)


def shown(name, job):
    """Entries of scontrol, which alone has the exit codes of what ended a short while ago."""
    answer = run(["scontrol", "show", "job", "-o", job])
    return of_scontrol(answer.out, name) if answer is not None and answer.code == 0 else []


def remembered(name, job):
    """Entries of what has left the queue, from whatever this cluster keeps."""
    named = "--name=%s" % name
    for args in (["sacct", named, "--starttime=now-90days"] + SACCT, ["sacct", "-c", named] + SACCT):
        answer = run(args)
        if answer is None or answer.code != 0:
            continue
        found = of_sacct(answer.out, name)
        if job:
            # `sacct -c` numbers the tasks of an array like jobs, so that nobody can tell which is which.
            is_array = "Unknown type ArrayJobId: %s\n" % job in answer.err + "\n"
            found = [] if is_array else [one for one in found if one["id"] == job]
        if found:
            return found
    return []


def entries(name, job=None):
    """Everything that the scheduler knows of the jobs of that name; of one job where its number is known."""
    queued = [one for one in in_queue(name) if not job or one["id"] == job]
    if queued and all(one["state"] in ACTIVE for one in queued):
        return queued
    known = by_task(queued)
    if queued and job:
        known.update({key: one for key, one in by_task(shown(name, job)).items() if key in known})
    old = by_task(remembered(name, job))
    return list(known.values()) + [one for key, one in old.items() if key not in known]


ACTIVE = {
    "PENDING",
    "CONFIGURING",
    "RUNNING",
    "COMPLETING",
    "SUSPENDED",
    "STOPPED",
    "SIGNALING",
    "STAGE_OUT",
    "RESIZING",
    "REQUEUED",
    "REQUEUE_FED",
    "REQUEUE_HOLD",
    "SPECIAL_EXIT",
}


def number_in(text):
    """The number of a job in the words of sbatch, among which a site may have its own; the last one, or None."""
    for line in reversed(text.splitlines()):
        for form in SUBMITTED:
            match = form.match(line.strip())
            if match:
                return match.group(1)
    return None


def submit(script, options, env):
    """
    Hands a script over; answers the number of the job. Refuses with `no-number` where sbatch took it, and its words hold none: the job may
    be there all the same.
    """
    answer = run(["sbatch", "--parsable"] + options + [script], env)
    if answer is None:
        raise Refused("no-slurm", "sbatch is not there.")
    if answer.code != 0:
        code = "no-controller" if answer.is_unreachable else "sbatch"
        raise Refused(code, answer.err or "sbatch ended with %d" % answer.code)
    number = number_in(answer.out)
    if number is None:
        words = " ".join(answer.out.split())
        raise Refused("no-number", "sbatch answered %s" % (words[-200:] or "nothing"))
    return number


def cancel(job):
    """Ends a job of which nothing is to be saved."""
    answer = run(["scancel", job])
    if answer is not None and answer.code != 0 and "invalid job id" not in answer.err.lower():
        raise Refused("no-controller" if answer.is_unreachable else "slurm", answer.err)
