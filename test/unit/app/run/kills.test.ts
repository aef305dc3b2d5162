import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import type { RunServices } from "../../../../src/app/run/parts.ts";
import { runQuestionsOf, type RunOrder } from "../../../../src/app/run/questions.ts";
import { controlOf } from "../../../../src/app/run/settings.ts";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { createRedactor } from "../../../../src/llm/redact.ts";
import type { Episode } from "../../../../src/model/episode.ts";
import { DEFAULT_SAMPLING } from "../../../../src/model/sampling.ts";
import { systemClock } from "../../../../src/platform/clock.ts";
import { environmentKeys } from "../../../../src/platform/env-keys.ts";
import { nodeFiles } from "../../../../src/platform/files.ts";
import { sha256 } from "../../../../src/platform/sha256.ts";
import { systemTiming } from "../../../../src/platform/timing.ts";
import { openWebClient } from "../../../../src/platform/web-client.ts";
import { openCore, ROOT, SAMPLE_RUN } from "../../../support/core.ts";
import { deedsUntil, mortal, type Boundary } from "../../../support/deeds.ts";

/** A run that is killed at every boundary of what it writes, and resumed each time. The command itself: golden/kills.test.ts. */

const core = openCore();
const place = mkdtempSync(path.join(os.tmpdir(), "hasp-run-kills-"));
const folder = path.join(place, "run");
afterAll(async () => {
  await core.host.close();
  rmSync(place, { recursive: true, force: true });
});

const sample = (name: string) => ({ name, path: path.join(ROOT, "samples", name) });

const order: RunOrder = {
  domain: webSearch,
  choice: controlOf({ config: undefined, domain: webSearch, by: "--setting", sets: [] }).value,
  remarks: [],
  policy: { spec: `recorded:${path.join(ROOT, SAMPLE_RUN)}` },
  teacher: undefined,
  sampling: DEFAULT_SAMPLING,
  tools: { retriever: "corpus", language: "en", concurrency: 0, topK: 5 },
  folder,
  maxDollars: undefined,
  questions: sample("questions.jsonl"),
  corpus: sample("corpus/passages.jsonl"),
  resume: true,
  samples: 1,
  concurrency: 2,
};

/** One sitting; where it was killed, if it was. */
async function sit(isEnd: (boundary: Boundary) => boolean): Promise<Boundary | undefined> {
  const deeds = deedsUntil(isEnd);
  const files = mortal(nodeFiles(), deeds, {
    deeds: ["append", "writeAtomic", "makeFolder", "remove", "writeText", "create"],
    nameOf: (file) => path.relative(folder, file).replaceAll(/[0-9a-f]{8,}/g, "*"),
  });
  const shared = { keys: environmentKeys({}), redactor: createRedactor(), timing: systemTiming };
  const services: RunServices = {
    files,
    ...core,
    clock: systemClock,
    sha256,
    models: {
      ...shared,
      files,
      post: async () => Promise.reject(new Error("No test asks the network.")),
      replyCache: undefined,
      onCacheTrouble: () => undefined,
      isPlainHttpAllowed: () => false,
      pathOf: (name) => name,
      openEditorModel: undefined,
    },
    environment: { ...shared, openClient: openWebClient },
    readSkills: async () => [],
  };
  const { signal } = new AbortController();
  const ran = await runQuestionsOf(order, services, { signal, on: () => undefined }).catch(
    (error: unknown) => {
      if (deeds.killedAt === undefined) throw error;
      return undefined;
    },
  );
  if (deeds.killedAt === undefined) expect(ran?.value?.summary.left).toBe(0);
  return deeds.killedAt;
}

const linesOf = (): string[] => {
  const text = readFileSync(path.join(folder, "episodes.jsonl"), "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text.split("\n").filter(Boolean);
};
/** What an episode says, without times and ids of its own. */
const saidIn = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line) as Episode)
    .map(({ questionId, answer, steps, stopReason }) => ({
      questionId,
      answer,
      stopReason,
      actions: steps.map(({ executed }) => executed),
    }))
    .toSorted((a, b) => a.questionId.localeCompare(b.questionId));

it("ends each question exactly once, as a run that nobody kills, and keeps each line that it wrote", async () => {
  await sit(() => false);
  const undisturbed = saidIn(linesOf());
  expect(undisturbed).toHaveLength(12);
  rmSync(folder, { recursive: true });
  // The n-th append is a boundary of its own: each is another episode.
  const killed = new Set<string>();
  let kept: string[] = [];
  for (;;) {
    const seen = new Map<string, number>();
    const nameOf = ({ side, deed }: Boundary): string => {
      const name = `${side} ${deed}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return deed.startsWith("append episodes.jsonl")
        ? `${name} ${kept.length + (seen.get(name) ?? 0)}`
        : name;
    };
    let name = "";
    const killedAt = await sit((boundary) => {
      name = nameOf(boundary);
      return !killed.has(name);
    });
    if (killedAt === undefined) break;
    killed.add(name);
    const now = existsSync(path.join(folder, "episodes.jsonl")) ? linesOf() : [];
    expect(now.slice(0, kept.length)).toEqual(kept);
    kept = now;
  }
  expect(killed.size).toBeGreaterThan(24);
  expect(saidIn(linesOf())).toEqual(undisturbed);
  expect(await nodeFiles().list(path.join(folder, "live"))).toEqual([]);
}, 120_000);
