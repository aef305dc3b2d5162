import { describe, expect, it } from "vitest";
import { followJob, readMetrics } from "../../../src/jobs/follow.ts";
import { jobSpecSchema, type JobEvent, type JobRecord } from "../../../src/model/job.ts";
import type { JobFiles } from "../../../src/jobs/job-folder.ts";

const SPEC = jobSpecSchema.parse({
  schema: "hasp.job/1",
  id: "one",
  title: "One",
  cwd: "/project",
  commands: [{ program: "python", args: [], about: "Train." }],
  env: {},
  passEnv: [],
  metrics: "m.jsonl",
});
const METRICS = "/project/m.jsonl";
const LOG = "/job/log.txt";
const RUNNING: JobRecord = { status: "running", attempt: 1 };
const TOKEN = "00000000-0000-4000-8000-000000000001";
const BEGAN = { kind: "attempt", attempt: 1, at: "2026-01-01T00:00:00Z", backend: "local", token: TOKEN };

/** What a follower sees when the files are as each of `moments` in turn, and the job ends with the last. */
async function seen(
  moments: readonly Readonly<Record<string, string | Uint8Array>>[],
  logBefore = 0,
): Promise<JobEvent[]> {
  let moment = -1;
  const bytesOf = (path: string): Uint8Array | undefined => {
    const text =
      path === "/job/state.jsonl"
        ? `${JSON.stringify({ ...BEGAN, log: logBefore })}\n`
        : moments[moment]?.[path];
    return typeof text === "string" ? new TextEncoder().encode(text) : text;
  };
  const files: JobFiles = {
    async stat(path) {
      const bytes = bytesOf(path);
      return bytes && { size: bytes.length, mtimeMs: 0, isFile: true };
    },
    read: async (path, offset, length) => (bytesOf(path) ?? new Uint8Array()).slice(offset, offset + length),
    append: () => Promise.reject(new Error("a follower writes nothing")),
  };
  const status = async (): Promise<JobRecord> => {
    moment++;
    return moment < moments.length - 1 ? RUNNING : { ...RUNNING, status: "succeeded" };
  };
  const clock = { now: () => "", sleep: async () => undefined };
  const events: JobEvent[] = [];
  const following = followJob({ files, clock, status }, "/job", SPEC, new AbortController().signal);
  for await (const event of following) events.push(event);
  return events;
}

const logOf = (events: readonly JobEvent[]): string[] =>
  events.flatMap((event) => (event.kind === "log" ? [event.line] : []));
/** Steps and losses, and troubles. */
const trainingOf = (events: readonly JobEvent[]): unknown[] =>
  events.flatMap((event): unknown[] => {
    if (event.kind === "metrics") return [[event.metrics.step, event.metrics.loss]];
    return event.kind === "trouble" ? [event.message] : [];
  });
const line = (step: number, loss: number | string): string =>
  `{"step": ${step}, "iteration": 1, "loss": ${loss}}\n`;

describe("the log", () => {
  it("its lines come whole, once each, from the present attempt on", async () => {
    const old = "of an attempt before\n";
    const moments = ["a\nb", "a\nbc\n\nd", "a\nbc\n\nd\r\ne"].map((text) => ({ [LOG]: old + text }));
    expect(logOf(await seen(moments, old.length))).toEqual(["a", "bc", "", "d", "e"]);
  });

  it("a character that is cut between two looks stays whole", async () => {
    const bytes = new TextEncoder().encode("grüße €\n");
    const moments = Array.from(bytes, (_, i) => ({ [LOG]: bytes.slice(0, i + 1) }));
    expect(logOf(await seen(moments))).toEqual(["grüße €"]);
  });

  it("a line of a progress bar shows its last state", async () => {
    expect(logOf(await seen([{ [LOG]: " 10%\r 50%\r100%\n" }]))).toEqual(["100%"]);
  });

  it("a line of megabytes is shown from its beginning, and says how much more there is", async () => {
    const [shown] = logOf(await seen([{ [LOG]: `${"x".repeat(3_000_000)}\n` }]));
    expect(shown).toBe(`${"x".repeat(65_536)}… (${3_000_000 - 65_536} more bytes)`);
  });
});

describe("the metrics", () => {
  it("come once each, however the file grows", async () => {
    const whole = line(1, 3) + line(2, 2) + line(3, 1);
    const moments = Array.from({ length: whole.length + 1 }, (_, i) => ({ [METRICS]: whole.slice(0, i) }));
    expect(trainingOf(await seen(moments))).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ]);
  });

  it("a trainer that cuts the file back and writes other lines is followed from where they differ", async () => {
    const before = line(1, 3) + line(2, 2) + line(3, 1);
    const moments = [before, line(1, 3), line(1, 3) + line(2, 2.5)].map((text) => ({ [METRICS]: text }));
    expect(trainingOf(await seen(moments))).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
      [2, 2.5],
    ]);
  });

  it("also where it has written more than before by the next look", async () => {
    const after = line(1, 3) + line(2, 2.5) + line(3, 1.5) + line(4, 1);
    const moments = [line(1, 3) + line(2, 2) + line(3, 1), after].map((text) => ({ [METRICS]: text }));
    expect(trainingOf(await seen(moments))).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
      [2, 2.5],
      [3, 1.5],
      [4, 1],
    ]);
  });

  it("lines that a resumed trainer writes just as before are no new ones", async () => {
    const whole = line(1, 3) + line(2, 2) + line(3, 1);
    const moments = [whole, line(1, 3), whole, whole + line(4, 0.5)].map((text) => ({ [METRICS]: text }));
    expect(trainingOf(await seen(moments))).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
      [4, 0.5],
    ]);
  });

  it("NaN and infinity are missing values, said when they begin; half a line and lines that are none are said", async () => {
    const text = `${line(1, "NaN")}${line(2, "NaN")}${line(3, 1)}${line(4, "-Infinity")}oops\n{"step": 5`;
    expect(trainingOf(await seen([{ [METRICS]: text }]))).toEqual([
      "loss is NaN from step 1 on (line 1 of m.jsonl).",
      [1, null],
      [2, null],
      [3, 1],
      "loss is -Infinity from step 4 on (line 4 of m.jsonl).",
      [4, null],
      "Line 5 of m.jsonl is left out: it is not a line of metrics.",
      "m.jsonl ends in half a line, which is left out.",
    ]);
  });

  it("a word that Python has for a number stays a text within a text", () => {
    const read = readMetrics('{"step": 1, "iteration": 1, "loss": NaN, "note": "loss: NaN, Infinity"}');
    expect([...(read?.missing ?? [])]).toEqual([["loss", "NaN"]]);
  });

  it("a line without an end does not hold up those after it", async () => {
    const text = `${line(1, 3)}${"x".repeat(2_500_000)}\n${line(2, 2)}`;
    expect(trainingOf(await seen([{ [METRICS]: text }]))).toEqual([
      [1, 3],
      "Line 2 of m.jsonl is left out: it is too long.",
      [2, 2],
    ]);
  });
});

it("the first event is the status now, the last the status at the end", async () => {
  const kinds = (await seen([{ [LOG]: "a\n" }, { [LOG]: "a\nb" }])).map((event) =>
    event.kind === "status" ? event.record.status : event.kind,
  );
  expect(kinds).toEqual(["running", "log", "log", "succeeded"]);
});
