import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import { atifReader } from "../../../src/trace/formats/atif.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import { exportAtif } from "../../../src/trace/export-atif.ts";
import { exportName } from "../../../src/trace/export-name.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { copyMessages, messageIds } from "../../../src/trace/message-copy.ts";
import { openMessages } from "../../../src/trace/message-reader.ts";
import { openMessageStore } from "../../../src/trace/message-store.ts";
import { readEpisodes, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { ATIF, importValue } from "./formats-support.ts";
import { episode, files, step, temporaryFolder } from "./support.ts";

function read(document: unknown): Episode {
  const [made] = atifReader({ name: "x", ledger: openLedger() }).read(document, 0).episodes;
  if (made === undefined) throw new Error("an episode expected");
  return made.episode;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

test("an ATIF trajectory becomes steps: one a tool call, and the last words are the answer", async () => {
  const made = await importValue(ATIF);
  expect(made.steps.map(({ executed }) => [executed.type, executed.arg])).toEqual([
    ["bash", "ls"],
    ["edit", '{"path":"a","lines":[1,2]}'],
    ["delegate", ""],
    ["FINAL", "Done."],
  ]);
  expect(made.steps.map(({ observation }) => observation)).toEqual(["a b", "edited", "See:\n[image]", ""]);
  expect(made.steps.map(({ proposals }) => proposals[0]?.thought)).toEqual([
    "First I look.\n\nTwo looks.",
    "",
    "Delegating.",
    "All green.",
  ]);
  expect(made).toMatchObject({
    id: "t-1",
    question: "Fix the test.",
    prelude: "Be careful.",
    outcome: "correct",
    answer: "Done.",
    cost: { inputTokens: 10, outputTokens: 4, cost: 0.25 },
    facts: { domain: "agent", actionTypes: ["bash", "edit", "delegate", "FINAL"] },
  });
});

test("ATIF → ours → ATIF gives back the document, field by field", async () => {
  expect(exportAtif(await importValue(ATIF), "1.0.0")).toEqual({ document: ATIF, loneSurrogates: 0 });
});

test("an imported answer that was judged here keeps its verdict in `extra` of its step", async () => {
  const made = await importValue(ATIF);
  const verdicts = [{ judge: "exact-match", score: 1, passed: true }];
  const steps = made.steps.map((step) =>
    step.executed.type === "FINAL"
      ? { ...step, proposals: step.proposals.map((proposal) => ({ ...proposal, verdicts })) }
      : step,
  );
  const { document } = exportAtif({ ...made, steps }, "1.0.0");
  const last = (document["steps"] as { extra?: object }[]).at(-1);
  expect(last?.extra).toMatchObject({ hasp: { steps: [{ proposals: [{ verdicts }] }] } });
});

test("a trajectory that goes on in another file has no answer, and its last words are no FINAL", async () => {
  const made = await importValue({ ...ATIF, continued_trajectory_ref: "next.json" });
  expect(made).toMatchObject({ stopReason: "halted", steps: { 3: { executed: { type: "other" } } } });
  expect(made.answer).toBeUndefined();
});

const text = fc.oneof(fc.string(), fc.constantFrom("", "\n\n", "a\n\nb", "<script>", "\u202e", "\u001b[2J"));
const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined });
const json = fc.jsonValue({ maxDepth: 2 });
const dictionary = fc.dictionary(fc.string({ minLength: 1 }), json, { maxKeys: 3 });
const content = fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 2 }));
const call = fc.record({
  tool_call_id: fc.constantFrom("a", "b", "c"),
  function_name: fc.oneof(fc.string(), fc.constantFrom("bash", "FINAL", "other")),
  arguments: fc.oneof(dictionary, fc.record({ command: text })),
  extra: maybe(dictionary),
});
const result = fc.record({
  source_call_id: maybe(fc.constantFrom("a", "b")),
  content: maybe(content),
  extra: maybe(dictionary),
});
const anyStep = fc.record({
  source: fc.constantFrom("agent", "agent", "user", "system"),
  message: content,
  reasoning_content: maybe(text),
  tool_calls: maybe(fc.array(call, { maxLength: 3 })),
  observation: maybe(fc.record({ results: fc.array(result, { maxLength: 3 }) })),
  metrics: maybe(
    fc.record({
      prompt_tokens: maybe(fc.nat()),
      logprobs: maybe(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }))),
    }),
  ),
  extra: maybe(dictionary),
});

test("property: any trajectory comes back as it was", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 5 }), maybe(dictionary), (steps, extra) => {
      const withAgent = [...steps, { source: "agent", message: "end" }];
      const numbered = withAgent.map((one, i) => ({ step_id: i + 1, ...one }));
      const document = plain({
        schema_version: "ATIF-v1.7",
        agent: { name: "a", version: "1" },
        steps: numbered,
        extra,
      });
      fc.pre(JSON.stringify(document).isWellFormed() && !JSON.stringify(document).includes("\\ud"));
      expect(plain(exportAtif(plain(read(document)) as Episode, "1").document)).toEqual(document);
    }),
    { numRuns: 300 },
  );
});

const held: Episode = episode("mine", {
  prelude: "a lesson",
  decisions: [{ part: "switches", by: "settings", reason: "as set" }],
  cost: { inputTokens: 3, outputTokens: 2 },
  steps: [
    {
      ...step(0, "SEARCH", "who", "somebody"),
      events: [{ skillId: "s", proposal: 0, status: "skipped", reason: "no" }],
      injected: [{ skillId: "s", text: "look again" }],
    },
    {
      ...step(1, "FINAL", "somebody"),
      proposals: [
        { thought: "first", action: { type: "FINAL", arg: "x" } },
        { thought: "second", action: { type: "FINAL", arg: "somebody" } },
      ],
    },
  ],
});

test("ours → ATIF → ours gives the same episode, with what PFs did", () => {
  const { document } = exportAtif(held, "1.0.0");
  expect(read(plain(document))).toEqual(held);
  const [, , first] = document["steps"] as { observation: { results: { content: string }[] } }[];
  expect(first?.observation.results.map((one) => one.content)).toEqual(["somebody", "look again"]);
});

const recorded: Episode = {
  ...held,
  sample: 3,
  verdicts: [{ judge: "exact-match", score: 1, passed: true, evidence: { gold: "somebody" } }],
  steps: held.steps.map((one, i) => ({
    ...one,
    proposals: one.proposals.map((proposal) => ({
      ...proposal,
      completion: { text: "Thought: …", finish: "length" as const, rendered: true },
      ...(proposal.action.type === "FINAL" && {
        verdicts: [{ judge: "exact-match", score: 0, passed: false, evidence: { answer: "x" } }],
      }),
    })),
    ...(i === 1 && { notRun: "max_steps", observation: "" }),
  })),
};

test("ours → ATIF → ours keeps the sample, completions, verdicts and the step that did not run", () => {
  expect(read(plain(exportAtif(recorded, "1.0.0").document))).toEqual(recorded);
});

test("a document that an older version exported is read as an episode of today", () => {
  const { sample: _, ...old } = { ...held, schema: "hasp.episode/1", settings: { trial: 2, policy: "p" } };
  const { document } = exportAtif(old as unknown as Episode, "1.0.0");
  expect(read(plain(document))).toEqual({ ...held, sample: 2, settings: { policy: "p" } });
});

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** Imports one file into a folder of its own. */
async function importInto(name: string, content: string, from = temporaryFolder()) {
  const file = `${from}/${name}`;
  const folder = `${temporaryFolder()}/run`;
  await files.writeAtomic(file, new TextEncoder().encode(content));
  await importRun(
    files,
    { clock: { now: () => "2026-01-01T00:00:00.000Z" }, sha256 },
    { sources: [file], folder },
  );
  const { index } = await openRun(files, folder);
  const episodes = (await all(readEpisodes(files, index))).map(({ value }) => value);
  return { episodes, messages: await openMessages(files, folder) };
}

const message = fc.record({
  role: fc.constantFrom("system" as const, "user" as const, "assistant" as const),
  content: fc.string({ unit: "grapheme", maxLength: 20 }),
});
const prompt = fc.array(message, { minLength: 1, maxLength: 4 });

test("property: an import, of an ATIF document or a run, has every message that the policy read", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(prompt, { minLength: 1, maxLength: 4 }), async (prompts) => {
      const folder = temporaryFolder();
      const store = await openMessageStore(files, folder, { sha256, redact: (text) => text });
      const conversation = store.conversation();
      const steps = prompts.map((messages, t) => {
        const one = step(t, "SEARCH", "who", "somebody");
        const id = conversation.read(messages);
        return { ...one, proposals: one.proposals.map((proposal) => ({ ...proposal, messages: id })) };
      });
      await store.settled();
      const made = episode("e", { steps });
      const from = await openMessages(files, folder);
      const stored = await all(copyMessages(from, messageIds(made), new Set()));
      const { document } = exportAtif(made, "1.0.0", stored);
      for (const imported of [
        await importInto("e.json", JSON.stringify(document)),
        await importInto("episodes.jsonl", `${serialiseEpisode(made)}\n`, folder),
      ]) {
        expect(imported.episodes).toEqual([made]);
        for (const [t, one] of steps.entries())
          expect(await imported.messages.upTo(one.proposals[0]?.messages ?? "")).toEqual(prompts[t]);
      }
    }),
    { numRuns: 15 },
  );
});

test("lone surrogates become U+FFFD and are counted", () => {
  const { document, loneSurrogates } = exportAtif(
    episode("x", { question: "a\ud800b\ud83d\ude00\udc00" }),
    "1",
  );
  expect(loneSurrogates).toBe(4);
  expect(JSON.stringify(document)).not.toMatch(/\\ud[89a-f]/i);
  expect(JSON.stringify(document)).toContain("a\ufffdb\ud83d\ude00\ufffd");
});

test("names of exported files stay in their folder and differ", () => {
  const taken = new Set<string>();
  const names = ["../../etc", "a/b", "a:b", "A_B", "", "con", "x".repeat(300)].map((id) =>
    exportName(id, taken),
  );
  expect(names).toEqual(
    ["__.._etc", "a_b", "a_b-2", "A_B-3", "episode_", "episode_con", "x".repeat(100)].map((name, i) =>
      i === 0 ? names[0] : name,
    ),
  );
  expect(names[0]).not.toMatch(/^\.|[/\\]/);
});
