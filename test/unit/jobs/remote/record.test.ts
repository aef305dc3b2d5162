import { expect, test } from "vitest";
import { keepStatus, knownStatus } from "../../../../src/jobs/remote/known-status.ts";
import type { RemoteFiles } from "../../../../src/jobs/remote/ports.ts";
import { appendRecord, readRecord } from "../../../../src/jobs/remote/record.ts";
import type { JobRecord } from "../../../../src/model/job.ts";

const AT = "2026-01-01T00:00:00Z";
const TARGET = line({ kind: "target", name: "c", target: { kind: "slurm", host: "c" }, root: "/r" });
const prepared = (number: number): string => line({ kind: "prepared", number });
const submitted = (number: number, job: string): string => line({ kind: "submitted", number, job });

function line(fields: object): string {
  return JSON.stringify({ at: AT, ...fields });
}

/** The files of a job folder in memory; `written`: paths of those that were replaced. */
function folder(texts: Record<string, string> = {}) {
  const written: string[] = [];
  const bytesOf = (path: string): Uint8Array => new TextEncoder().encode(texts[path] ?? "");
  const files = {
    stat: async (path: string) =>
      texts[path] === undefined ? undefined : { size: bytesOf(path).length, mtimeMs: 0, isFile: true },
    read: async (path: string, offset: number, length: number) =>
      bytesOf(path).slice(offset, offset + length),
    append: async (path: string, data: Uint8Array) => {
      texts[path] = (texts[path] ?? "") + new TextDecoder().decode(data);
    },
    writeAtomic: async (path: string, data: Uint8Array) => {
      written.push(path);
      texts[path] = new TextDecoder().decode(data);
    },
  };
  return { files: files as unknown as RemoteFiles, texts, written };
}

const recordOf = async (...lines: readonly string[]) =>
  readRecord(folder({ "job/target.jsonl": lines.join("\n") }).files, "job");

test("a job that was never sent has no record, nor has one whose target is not known", async () => {
  expect(await readRecord(folder().files, "job")).toBeUndefined();
  expect(await recordOf(prepared(1), submitted(1, "11"))).toBeUndefined();
});

test.each([
  ["nothing was submitted", [], 0, undefined],
  ["the first may exist", [prepared(1)], 1, undefined],
  ["the first is confirmed", [prepared(1), submitted(1, "11")], 1, "11"],
  ["the same is prepared once more", [prepared(1), submitted(1, "11"), prepared(1)], 1, "11"],
  ["the second may exist", [prepared(1), submitted(1, "11"), prepared(2)], 2, undefined],
  ["the first is confirmed late", [prepared(1), prepared(2), submitted(1, "11")], 2, undefined],
  ["the first is confirmed last", [prepared(2), submitted(2, "22"), submitted(1, "11")], 2, "22"],
  ["the target is named again", [prepared(1), submitted(1, "11"), TARGET], 1, "11"],
] as const)("when %s, the last submission counts", async (_, lines, number, job) => {
  expect(await recordOf(TARGET, ...lines)).toMatchObject({ name: "c", root: "/r", number, job });
});

test("half a line is skipped, and what follows it begins a line", async () => {
  const half = submitted(1, "11").slice(0, 30);
  const { files } = folder({ "job/target.jsonl": `${TARGET}\n${prepared(1)}\n${half}` });
  expect(await readRecord(files, "job")).toMatchObject({ number: 1, job: undefined });
  await appendRecord(files, "job", { kind: "submitted", at: AT, number: 1, job: "12" });
  expect(await readRecord(files, "job")).toMatchObject({ number: 1, job: "12" });
});

test("a line after a whole line follows it without an empty one", async () => {
  const { files, texts } = folder();
  for (const number of [1, 2]) await appendRecord(files, "job", { kind: "prepared", at: AT, number });
  expect(texts["job/target.jsonl"]).toMatch(/^\{.*"number":1\}\n\{.*"number":2\}\n$/);
});

test("files that were alike are kept by path, the newest hash of each", async () => {
  const same = (files: object): string => line({ kind: "same", files });
  const record = await recordOf(TARGET, same({ a: "1", b: "2" }), same({ b: "3", c: "4" }));
  expect(record?.same).toEqual({ a: "1", b: "3", c: "4" });
});

test.each(["", "{", "[]", '{"status":"sleeping"}', '{"status":"running","attempt":"one"}'])(
  "a last known status that reads %j counts as never asked",
  async (text) => {
    expect(await knownStatus(folder({ "job/status.json": text }).files, "job")).toEqual({
      status: "submitted",
    });
  },
);

test("a status is kept with all its fields, and written only when it is another", async () => {
  const { files, written } = folder();
  // Every field of JobRecord: one that the schema lacks would be lost, and the file written at every look.
  const status: Required<JobRecord> = {
    status: "failed",
    tasks: { total: 3, succeeded: 1, running: 0, failed: 2 },
    unreachable: "The link is down.",
    attempt: 2,
    startedAt: AT,
    endedAt: AT,
    command: 1,
    exitCode: 3,
    signal: "SIGKILL",
    reason: "Out of memory.",
    lastLines: ["killed"],
  };
  await keepStatus(files, "job", status);
  expect(await knownStatus(files, "job")).toEqual(status);
  await keepStatus(files, "job", status);
  expect(written).toHaveLength(1);
  await keepStatus(files, "job", { ...status, exitCode: 4 });
  expect(written).toHaveLength(2);
});
