import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { webSearchRules } from "../../../src/domains/web-search/context-rules.ts";
import { contextsOf } from "../../../src/trace/context-at.ts";
import { exportAtif } from "../../../src/trace/export-atif.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import {
  GOOD,
  HOSTILE_ARCHIVES,
  HOSTILE_LINES,
  ODD_ARCHIVES,
  ODD_LINES,
} from "../../support/hostile-bytes.ts";
import { THOROUGH } from "../../support/thorough.ts";
import { importContent, importFiles } from "./formats-support.ts";
import { temporaryFolder } from "./support.ts";
import { sha256 } from "../../../src/platform/sha256.ts";

describe("a bad line or entry costs itself, and is named", () => {
  test.each([...HOSTILE_LINES, ...HOSTILE_ARCHIVES])("$file: $name", async (hostile) => {
    const { episodes, diagnostics } = await importContent(hostile.make(), hostile.file);
    const said = diagnostics.find(({ message }) => hostile.says.test(message));
    expect(said, diagnostics.map(({ message }) => message).join("\n")).toBeDefined();
    expect(said?.file).toContain(hostile.file);
    if (hostile.line !== undefined) expect(said?.range.start.line).toBe(hostile.line - 1);
    expect(episodes).toHaveLength(hostile.episodes);
  });
});

describe("what is only odd is imported without a word", () => {
  test.each(Object.entries(ODD_LINES))("line: %s", async (_, make) => {
    const { episodes, diagnostics } = await importContent(make(), "x.jsonl");
    expect(diagnostics).toEqual([]);
    expect(episodes).toHaveLength(1);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
  test.each(Object.entries(ODD_ARCHIVES))("archive: %s", async (_, make) => {
    const { episodes, diagnostics } = await importContent(make(), "log.eval");
    expect(diagnostics).toEqual([]);
    expect(episodes).toHaveLength(1);
  });
});

describe("what is no plain file, or a folder without any, is refused, and the others are imported", () => {
  test.each(["pipe", "folder", "device"])("%s", async (kind) => {
    const root = temporaryFolder();
    const odd = kind === "device" ? "/dev/zero" : `${root}/odd`;
    if (kind === "pipe") execFileSync("mkfifo", [odd]);
    if (kind === "folder") mkdirSync(odd);
    const good = `${root}/good.jsonl`;
    await nodeFiles().writeText(good, GOOD);
    const { episodes, diagnostics } = await importFiles(odd, good);
    expect(episodes).toHaveLength(1);
    const code = kind === "folder" ? "HASP532" : "HASP534";
    expect(diagnostics.map((found) => [found.code, found.file])).toEqual([[code, odd]]);
    await expect(nodeFiles().read(odd, 0, 4)).rejects.toThrow("no plain file");
  });
});

test("calls of one turn, 20,000 of them, do not multiply", async () => {
  const blocks = Array.from({ length: 20_000 }, (_, n) => ({
    type: "tool_use",
    id: `${n}`,
    name: "Bash",
    input: {},
  }));
  const said = (type: string, content: unknown): string =>
    JSON.stringify({ type, uuid: "u", sessionId: "s", message: { role: type, content } });
  const { value } = await importContent(`${said("user", "go")}\n${said("assistant", blocks)}\n`, "x.jsonl");
  expect(value?.episodes).toBe(1);
});

test("a text that is named so often that nothing can hold it stays a name", async () => {
  const sample = (id: string, times: number): object => ({
    id,
    epoch: 1,
    input: "hi",
    attachments: { ab: "x".repeat(1024 * 1024) },
    messages: [
      { role: "assistant", content: "hello" },
      ...Array.from({ length: times }, () => ({ role: "user", content: "attachment://ab" })),
    ],
  });
  const log = { eval: { task: "t" }, status: "success", samples: [sample("a", 1), sample("b", 20_000)] };
  const { value, episodes } = await importContent(JSON.stringify(log));
  expect(episodes.map(({ id }) => id)).toEqual(["a_epoch_1", "b_epoch_1"]);
  expect(value?.files[0]?.dropped.find(({ what }) => what === "attachments")?.times).toBe(19_984);
});

const KEYS =
  `messages role content usage prompt_tokens completion_tokens total_cost tool_calls type message sessionId payload info
  last_token_usage exit_code call_id output trajectory history action observation execution_time steps source metrics cost_usd resourceSpans
  scopeSpans spans traceId spanId attributes startTimeUnixNano __proto__ eval status samples model_usage input_tokens schema_version question
  id trial`.split(/\s+/);
const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.constantFrom(
    "assistant",
    "user",
    "tool",
    "agent",
    "ATIF-v1.7",
    "event_msg",
    "token_count",
    "reflexion",
    "correct",
  ),
  fc.constantFrom(1e21, -1, 1.5, 2 ** 53, "1e400", "NaN", -0, 5e-324),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("tree"), { maxKeys: 6 }),
  ),
}));
const usages = fc.record({ prompt_tokens: leaf, completion_tokens: leaf, total_cost: leaf, cost: leaf });
const chats = fc.tuple(tree, usages).map(([extra, usage]) => ({ ...JSON.parse(GOOD), usage, extra }));

test("property: what an import writes is read, replayed, exported and imported again without a finding", async () => {
  const lines = fc.array(fc.oneof(tree, chats), { minLength: 1, maxLength: 6 });
  await fc.assert(
    // `importContent` reads the run back and expects no finding.
    fc.asyncProperty(lines, async (values) => {
      const { episodes } = await importContent(
        values.map((value) => JSON.stringify(value)).join("\n"),
        "x.jsonl",
      );
      for (const episode of episodes) {
        expect(contextsOf(episode, webSearchRules)).toHaveLength(episode.steps.length);
        const { document } = exportAtif(episode, "1.0.0");
        const again = await importContent(JSON.stringify(document), "again.json");
        // A question may be empty, which is told each time.
        expect(again.diagnostics.filter(({ code }) => code !== "HASP524")).toEqual([]);
        expect(again.episodes.map(({ id, length }) => ({ id, length }))).toEqual([
          { id: episode.id.toWellFormed(), length: episode.length },
        ]);
      }
    }),
    { numRuns: THOROUGH ? 150 : 50 },
  );
  // Three hundred runs are written to the disk and read again.
}, 90_000);

test("an episode within the limits whose export would be past them is imported without its extra", async () => {
  const deep = `${GOOD.slice(0, -1)},"x":${"[".repeat(190)}${"]".repeat(190)}}`;
  const { episodes, diagnostics } = await importContent(deep, "x.jsonl");
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["HASP538", expect.stringContaining("184 levels deep; what is only in `extra` was left out")],
  ]);
  expect(episodes[0]?.extra).toBeUndefined();
});

test("an import that finds nothing leaves no run behind", async () => {
  const root = temporaryFolder();
  await nodeFiles().writeText(`${root}/x.jsonl`, "[".repeat(1_000_000));
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  const sources = [`${root}/x.jsonl`];
  const { value } = await importRun(
    nodeFiles(),
    { clock, sha256 },
    { sources, folder: `${root}/run`, format: "openai" },
  );
  expect(value).toBeUndefined();
  expect(await nodeFiles().list(`${root}/run`)).toEqual([]);
});
