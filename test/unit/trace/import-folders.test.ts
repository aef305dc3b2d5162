import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { importReportSchema, isOdd } from "../../../src/model/import-report.ts";
import { findSources } from "../../../src/trace/find-sources.ts";
import { importRun, type ImportRequest } from "../../../src/trace/import-run.ts";
import type { TraceFiles } from "../../../src/trace/ports.ts";
import { readReport } from "../../../src/trace/stored-report.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { files, temporaryFolder } from "./support.ts";

const clock = { now: () => "2026-01-01T00:00:00.000Z" };

/** A conversation of one call and an answer. */
const chat = (question: string): string =>
  JSON.stringify({
    messages: [
      { role: "user", content: question },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c", content: "a.txt" },
      { role: "assistant", content: `Done: ${question}` },
    ],
  });

/** Writes files below a new folder; answers with the folder. */
function folderOf(contents: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
    writeFileSync(`${root}/${name}`, content);
  }
  return root;
}

const importOf = (
  request: Pick<ImportRequest, "sources" | "folder"> & Partial<ImportRequest>,
  port: TraceFiles = files,
) => importRun(port, { clock, sha256 }, request);

test("of a folder, the files come before its folders, each by name; what is no record of an agent is left out", async () => {
  const root = folderOf({
    "b.jsonl": "",
    "a.json": "",
    "a/late.traj": "",
    "a/deep/x.eval": "",
    "notes.md": "",
    ".git/config.json": "",
    "node_modules/p/package.json": "",
    "out/episodes.jsonl": "",
  });
  symlinkSync(`${root}/a`, `${root}/linked`);
  symlinkSync(`${root}/b.jsonl`, `${root}/c.jsonl`);
  const { sources, others, diagnostics } = await findSources(files, [root], { except: `${root}/out` });
  expect(sources.map(({ file }) => path.relative(root, file))).toEqual([
    "a.json",
    "b.jsonl",
    "a/late.traj",
    "a/deep/x.eval",
  ]);
  expect(sources.every(({ isNamed }) => !isNamed)).toBe(true);
  expect(others).toEqual([`${root}/notes.md`]);
  expect(diagnostics).toEqual([]);
});

test("a folder is imported with what no reader knows counted, and nothing of it is an error", async () => {
  const root = folderOf({
    "one.jsonl": chat("First?"),
    "two.jsonl": chat("Second?"),
    "settings.json": '{"theme":"dark"}',
    "sub/agent.jsonl": chat("Third?"),
    "sub/out.txt": "text",
    "picture.PNG": "",
  });
  const { value, diagnostics } = await importOf({ sources: [root], folder: `${root}/run` });
  expect(diagnostics).toEqual([]);
  expect(value?.files.map(({ file, episodes }) => [path.relative(root, file), episodes])).toEqual([
    ["one.jsonl", 1],
    ["two.jsonl", 1],
    ["sub/agent.jsonl", 1],
  ]);
  expect(value?.unread).toEqual({
    files: 3,
    endings: [
      { ending: ".json", files: 1 },
      { ending: ".png", files: 1 },
      { ending: ".txt", files: 1 },
    ],
    first: [`${root}/settings.json`, `${root}/picture.PNG`, `${root}/sub/out.txt`],
  });
  expect(value?.run.title).toBe(`${path.basename(root)} (imported)`);
  // The run stands in the folder that is imported again, and is no part of it.
  const again = await importOf({ sources: [root], folder: `${root}/run` });
  expect(again.value?.episodes).toBe(3);
});

test("the report is kept in the run folder, and is what the import answered", async () => {
  const root = folderOf({ "a/one.jsonl": chat("First?"), "a/two.jsonl": `${chat("Second?")}\n{"broken` });
  const { value } = await importOf({ sources: [`${root}/a`], folder: `${root}/run` });
  const { run: _, ...report } = value ?? { run: undefined };
  const stored: unknown = JSON.parse(readFileSync(`${root}/run/import.json`, "utf8"));
  expect(stored).toEqual(JSON.parse(JSON.stringify(report)));
  expect(importReportSchema.parse(stored)).toMatchObject({
    schema: "hasp.import/1",
    order: { sources: [`${root}/a`] },
    episodes: 2,
    steps: 4,
    formats: [{ format: "openai", files: 2, episodes: 2 }],
  });
  expect((await readReport(files, `${root}/run`)).value).toEqual(stored);
  expect((await readReport(files, root)).diagnostics.map(({ code }) => code)).toEqual(["HASP506"]);
  writeFileSync(`${root}/run/import.json`, '{"schema":"other"}');
  expect((await readReport(files, `${root}/run`)).diagnostics.map(({ code }) => code)).toEqual(["HASP506"]);
});

test("findings are counted by code over all files, with their first places", async () => {
  const broken = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`s${i}.jsonl`, `${chat(`Q${i}?`)}\nno json\n`]),
  );
  const root = folderOf(broken);
  const { value } = await importOf({ sources: [root], folder: `${root}/run` });
  expect(value?.findings).toMatchObject([{ code: "HASP530", severity: "error", times: 8, files: 8 }]);
  expect(value?.findings[0]?.places).toHaveLength(5);
  expect(value?.findings[0]?.places[0]).toMatchObject({ file: `${root}/s0.jsonl`, line: 2 });
  expect(value?.files.map(({ problems }) => problems)).toEqual(Array(8).fill(1));
});

test("a file that cannot be read, or ends a search early, costs only itself", async () => {
  const root = folderOf({ "a.jsonl": chat("A?"), "b.jsonl": chat("B?"), "shut/c.jsonl": chat("C?") });
  const denied = (what: string): Error => Object.assign(new Error(`EACCES: ${what}`), { code: "EACCES" });
  const port: TraceFiles = {
    ...files,
    read: (file, ...rest) =>
      file.endsWith("a.jsonl") ? Promise.reject(denied(file)) : files.read(file, ...rest),
    entries: (folder) => (folder.endsWith("shut") ? Promise.reject(denied(folder)) : files.entries(folder)),
  };
  const { value, diagnostics } = await importOf({ sources: [root], folder: `${root}/run` }, port);
  expect(value?.episodes).toBe(1);
  expect(diagnostics.map(({ code, file }) => [code, path.basename(file ?? "")])).toEqual([
    ["HASP534", "shut"],
    ["HASP534", "a.jsonl"],
  ]);
});

test("a file of a known format without an episode is said: an error where a person named it", async () => {
  const nothing = JSON.stringify({ messages: [{ role: "user", content: "Hello?" }] });
  const root = folderOf({ "a.jsonl": chat("A?"), "b.jsonl": nothing });
  const found = await importOf({ sources: [root], folder: `${root}/run` });
  const named = await importOf({ sources: [`${root}/a.jsonl`, `${root}/b.jsonl`], folder: `${root}/named` });
  const severities = ({ diagnostics }: typeof found) =>
    diagnostics.filter(({ code }) => code === "HASP532").map(({ severity }) => severity);
  expect([severities(found), severities(named)]).toEqual([["information"], ["error"]]);
});

test("a file of which all is known and needed in no episode is counted, and nobody is sent to look at it", async () => {
  const about = JSON.stringify({ agentType: "general-purpose", toolUseId: "toolu_1" });
  const state = JSON.stringify({ type: "mode", mode: "normal", sessionId: "s2" });
  const root = folderOf({ "a.jsonl": chat("A?"), "agent-1.meta.json": about, "s2.jsonl": state });
  const found = await importOf({ sources: [root], folder: `${root}/run` });
  expect(found.diagnostics).toEqual([]);
  expect(found.value?.files.map((file) => [path.basename(file.file), isOdd(file)])).toEqual([
    ["a.jsonl", false],
    ["s2.jsonl", false],
    ["agent-1.meta.json", false],
  ]);
  expect(found.value?.dropped.map(({ what }) => what)).toEqual([
    "lines of type mode",
    "descriptions of sub-agents",
  ]);
  const named = await importOf({ sources: [`${root}/agent-1.meta.json`], folder: `${root}/named` });
  expect(named.value).toBeUndefined();
  expect(named.diagnostics).toMatchObject([
    { code: "HASP532", severity: "error", message: expect.stringContaining("descriptions of sub-agents") },
  ]);
});

test("lines in UTF-16, as PowerShell pipes them, are read; a document in it, and an empty file, are named", async () => {
  const root = folderOf({});
  const text = `${chat("Größer?")}\n${chat("Und 💡?")}\n`;
  writeFileSync(`${root}/marked.jsonl`, Buffer.from(`\uFEFF${text}`, "utf16le"));
  writeFileSync(`${root}/plain.jsonl`, Buffer.from(text, "utf16le"));
  writeFileSync(`${root}/big-endian.jsonl`, Buffer.from(`\uFEFF${text}`, "utf16le").swap16());
  const { value, diagnostics } = await importOf({ sources: [root], folder: `${root}/run` });
  expect(diagnostics.filter(({ code }) => code !== "HASP525")).toEqual([]);
  expect(value?.files.map(({ episodes, steps }) => [episodes, steps])).toEqual([
    [2, 4],
    [2, 4],
    [2, 4],
  ]);
  expect(readFileSync(`${root}/run/episodes.jsonl`, "utf8")).toContain("Und 💡?");
  const spread = JSON.stringify(JSON.parse(chat("A?")), null, 2);
  writeFileSync(`${root}/spread.json`, Buffer.from(`\uFEFF${spread}`, "utf16le"));
  const named = await importOf({ sources: [`${root}/spread.json`], folder: `${root}/other` });
  expect(named.diagnostics).toMatchObject([{ code: "HASP535", next: expect.stringContaining("UTF-8") }]);
  writeFileSync(`${root}/empty.jsonl`, "");
  const empty = await importOf({ sources: [`${root}/empty.jsonl`], folder: `${root}/third` });
  expect(empty.diagnostics).toMatchObject([{ code: "HASP535", message: "The file is empty." }]);
});

test("a folder with nothing to import says what stands in it", async () => {
  const root = folderOf({ "a.json": "{}", "b.txt": "" });
  mkdirSync(`${root}/empty`);
  const { value, diagnostics } = await importOf({ sources: [root], folder: `${root}/run` });
  expect(value).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { code: "HASP532", message: expect.stringContaining("2 files of no known format") },
  ]);
  const empty = await importOf({ sources: [`${root}/empty`], folder: `${root}/run` });
  expect(empty.diagnostics).toMatchObject([{ code: "HASP532", file: `${root}/empty` }]);
});

test("a session in two files is said, by its id or by its first steps", async () => {
  const turn = (n: number) => [
    {
      role: "assistant",
      content: `Look ${n}.`,
      tool_calls: [{ id: `c${n}`, type: "function", function: { name: "bash", arguments: `{"n":${n}}` } }],
    },
    { role: "tool", tool_call_id: `c${n}`, content: `result ${n}` },
  ];
  const session = (turns: number): string =>
    JSON.stringify({
      messages: [{ role: "user", content: "Q?" }, ...Array.from({ length: turns }, (_, n) => turn(n)).flat()],
    });
  const root = folderOf({ "a.jsonl": session(3), "resumed.jsonl": session(5), "short.jsonl": session(2) });
  const { value, diagnostics } = await importOf({ sources: [root], folder: `${root}/run` });
  expect(value?.episodes).toBe(3);
  expect(diagnostics.map(({ code, file, message }) => [code, path.basename(file ?? ""), message])).toEqual([
    ["HASP525", "resumed.jsonl", expect.stringContaining(`${root}/a.jsonl`)],
  ]);
});

test("no small file is read twice, and a cancel ends the import between two files", async () => {
  const root = folderOf(
    Object.fromEntries(
      // Half of them hold one line, the others two.
      Array.from({ length: 200 }, (_, i) => [
        `${i}.jsonl`,
        i % 2 === 0 ? chat(`Question ${i}?`) : `${chat(`Question ${i}?`)}\n${chat(`And ${i}?`)}\n`,
      ]),
    ),
  );
  const read = vi.fn<TraceFiles["read"]>((...given) => files.read(...given));
  const chunks = vi.fn<TraceFiles["chunks"]>((...given) => files.chunks(...given));
  await importOf({ sources: [root], folder: `${temporaryFolder()}/run` }, { ...files, read, chunks });
  const ofSource = (calls: readonly (readonly [string, ...unknown[]])[]): number =>
    calls.filter(([file]) => /\d\.jsonl$/.test(file)).length;
  expect([ofSource(read.mock.calls), ofSource(chunks.mock.calls)]).toEqual([200, 0]);

  const stop = new AbortController();
  const seen: number[] = [];
  const cancelled = importOf({
    sources: [root],
    folder: `${root}/cancelled`,
    signal: stop.signal,
    onProgress({ episodes, totalBytes, readBytes }) {
      seen.push(readBytes / totalBytes);
      if (episodes === 30) stop.abort();
    },
  });
  await expect(cancelled).rejects.toThrow("abort");
  expect(seen.at(-1)).toBeCloseTo(0.1, 1);
  expect(await files.list(`${root}/cancelled`)).toEqual([]);
});
