import { describe, expect, test } from "vitest";
import { clusterRecord } from "../../../../src/jobs/remote/target-status.ts";
import type { SchedulerEntry } from "../../../../src/jobs/remote/replies.ts";
import type { Attempt, JobState } from "../../../../src/jobs/state-file.ts";

const AT = "2026-11-26T10:00:00.000Z";
const TOKEN = "00000000-0000-4000-8000-000000000001";

function attempt(submission: number, end?: "succeeded" | "failed" | "stopped" | "interrupted"): Attempt {
  const began = {
    kind: "attempt",
    attempt: 1,
    at: AT,
    backend: "target",
    token: TOKEN,
    log: 0,
    submission,
  } as const;
  const ended = end === undefined ? undefined : ({ kind: "end", attempt: 1, at: AT, status: end } as const);
  return { began, command: 0, isStopAsked: false, end: ended };
}

const state = (...attempts: readonly Attempt[]): JobState => ({ attempts, size: 0, endsInLine: true });

const entry = (wanted: string, fields: Partial<SchedulerEntry> = {}): SchedulerEntry => ({
  id: "7",
  task: null,
  state: wanted,
  reason: "",
  exitCode: null,
  signal: null,
  ...fields,
});

const NOT_CANCELLED = { submission: { number: 1, job: "7" } };
const statusOf = (written: JobState, seen: SchedulerEntry | undefined, sight: object = NOT_CANCELLED) =>
  clusterRecord(written, 1, seen, sight as typeof NOT_CANCELLED).status;

describe("a job under SLURM", () => {
  test.each([
    ["PENDING", "submitted"],
    ["CONFIGURING", "submitted"],
    ["REQUEUED", "submitted"],
    ["REQUEUE_HOLD", "submitted"],
    ["SPECIAL_EXIT", "submitted"],
    ["RUNNING", "submitted"],
    ["COMPLETING", "submitted"],
    ["CANCELLED", "stopped"],
    ["FAILED", "failed"],
    ["TIMEOUT", "failed"],
    ["NODE_FAIL", "failed"],
    ["OUT_OF_MEMORY", "failed"],
    ["BOOT_FAIL", "failed"],
    ["DEADLINE", "failed"],
    ["PREEMPTED", "failed"],
    ["COMPLETED", "failed"],
    ["SOMETHING_NEW", "failed"],
  ])("that is %s and has written nothing is %s", (seen, status) => {
    expect(statusOf(state(), entry(seen))).toBe(status);
  });

  test("that runs has begun once it says so itself", () => {
    expect(statusOf(state(attempt(1)), entry("RUNNING"))).toBe("running");
    // The attempt is of an earlier submission.
    expect(clusterRecord(state(attempt(1, "failed")), 2, entry("RUNNING"), NOT_CANCELLED).status).toBe(
      "submitted",
    );
  });

  test.each(["succeeded", "failed", "stopped"] as const)(
    "that wrote its end as %s has ended so, whatever SLURM says",
    (end) => {
      for (const seen of [entry("RUNNING"), entry("FAILED"), entry("CANCELLED"), undefined])
        expect(statusOf(state(attempt(1, end)), seen)).toBe(end);
    },
  );

  test("that lost its place waits again, and is cancelled where a person cancelled it", () => {
    const interrupted = state(attempt(1, "interrupted"));
    expect(statusOf(interrupted, entry("PENDING"))).toBe("submitted");
    expect(statusOf(interrupted, entry("RUNNING"))).toBe("submitted");
    expect(statusOf(interrupted, entry("CANCELLED"))).toBe("stopped");
    expect(statusOf(interrupted, undefined)).toBe("lost");
  });

  test("that SLURM has forgotten is lost, unless a person took it from the queue", () => {
    expect(statusOf(state(), undefined)).toBe("lost");
    expect(statusOf(state(attempt(1)), undefined)).toBe("lost");
    expect(statusOf(state(), undefined, { submission: { number: 1, job: "7", isCancelled: true } })).toBe(
      "stopped",
    );
  });

  test("names the signal that ended it, and its exit code where there was none", () => {
    expect(clusterRecord(state(), 1, entry("FAILED", { exitCode: 0, signal: 9 }), NOT_CANCELLED)).toEqual({
      status: "failed",
      signal: "SIGKILL",
      reason: "It was ended by SIGKILL.",
    });
    expect(clusterRecord(state(), 1, entry("FAILED", { exitCode: 2, signal: 0 }), NOT_CANCELLED)).toEqual({
      status: "failed",
      exitCode: 2,
      reason: "Its script ended with exit code 2 before the job's end.",
    });
  });

  test("after a job that failed has failed, too, and one that waits says for what", () => {
    const never = entry("PENDING", { reason: "DependencyNeverSatisfied" });
    expect(clusterRecord(state(), 1, never, NOT_CANCELLED)).toEqual({
      status: "failed",
      reason: "The job before it has failed.",
    });
    const waits = (reason: string) =>
      clusterRecord(state(), 1, entry("PENDING", { reason }), NOT_CANCELLED).reason;
    expect(waits("Resources")).toBe("It waits for resources.");
    expect(waits("SomethingOfThisSite")).toBe("The scheduler says: SomethingOfThisSite.");
    expect(waits("")).toBeUndefined();
  });
});
