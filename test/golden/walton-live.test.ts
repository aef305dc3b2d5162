import { rmSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseCorpus } from "../../src/domains/passages/corpus.ts";
import { indexPassages } from "../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../src/domains/web-search/tools.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { libraryRefs } from "../../src/evaluation/library-refs.ts";
import { parseQuestions } from "../../src/evaluation/questions.ts";
import { DEFAULT_CONTROL } from "../../src/model/control.ts";
import { modelPolicy } from "../../src/harness/model-policy.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import { scriptedModel } from "../../src/llm/scripted-model.ts";
import { formatAction } from "../../src/model/action.ts";
import type { Step } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { contextsOf } from "../../src/trace/context-at.ts";
import { episodesIn, loadSkills, openCore, ROOT } from "../support/core.ts";
import { PAPER } from "../support/shipped.ts";
import { samplesOf } from "../../src/harness/question.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { PLAIN_RUN } from "../support/episodes.ts";

const core = openCore();
const place = mkdtempSync(path.join(tmpdir(), "hasp-walton-"));
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  rmSync(place, { recursive: true, force: true });
});
const sample = (name: string): string => readFileSync(path.join(ROOT, "samples", name), "utf8");

/** What the model says, in the order it is asked; the last two belong to one step. */
const REPLIES = [
  "Thought: Two things to find. I begin broadly.\nAction: SEARCH[Walton family member died after John Walton 2005]",
  "Thought: Helen Walton could be the one.\nAction: SEARCH[Helen Walton death date]",
  "Thought: Helen Walton died in 2007, after John. Her husband was Sam Walton.\nAction: FINAL[Sam Walton]",
  "Thought: The page says it.\nAction: FINAL[Sam]",
  "Thought: Sam alone could be anybody.\nAction: FINAL[Sam Walton]",
];

/** `3 FINAL("Sam") → FINAL("Sam Walton") ran FINAL("Sam Walton"); answer_completeness applied`. */
function inWords({ t, proposals, executed, events }: Step): string {
  const proposed = proposals.map(({ action }) => formatAction(action)).join(" → ");
  const acted = events
    .filter(({ status }) => status !== "skipped")
    .map(({ skillId, status }) => `${skillId} ${status}`);
  return `${t} ${proposed} ran ${formatAction(executed)}; ${acted.join(", ")}`;
}

describe("the Walton question, live, with the library that comes with HASP Studio (golden)", () => {
  it("is hinted at, read before it is answered, held back once, and answered in full", async () => {
    const library = await loadSkills(core, ...PAPER);
    expect(library.active).toHaveLength(26);
    const [question] = parseQuestions(sample("questions.jsonl"), "questions.jsonl").value ?? [];
    const index = indexPassages(parseCorpus(sample("corpus/passages.jsonl"), "passages.jsonl").value ?? []);
    const model = scriptedModel(REPLIES);
    const folder = path.join(place, "run");
    const files = nodeFiles();
    await createRun(files, folder, {
      id: "run",
      title: "run",
      domain: webSearch.name,
      createdAt: "2026-01-01T00:00:00.000Z",
      source: "hasp",
    });
    const summary = await runQuestions({
      files,
      folder,
      samples: samplesOf(question === undefined ? [] : [question], 1),
      ...PLAIN_RUN,
      policy: modelPolicy(model, webSearch.prompt),
      host: core.host,
      library: library.skills,
      libraryRefs: libraryRefs(library, sha256),
      domain: webSearch,
      control: { ...DEFAULT_CONTROL, maxSteps: 8 },
      settings: {},
      concurrency: 1,
      signal: new AbortController().signal,
      openEnvironment: () => openWebSearch(index),
    });
    expect(summary.outcomes.correct).toBe(1);
    const [episode] = await episodesIn(folder);
    expect(episode?.steps.map(inWords)).toEqual([
      '0 SEARCH("Walton family member died after John Walton 2005") ran SEARCH("Walton family member died after John Walton 2005"); decompose_complex_question applied, wrong_entity_confusion applied',
      '1 SEARCH("Helen Walton death date") ran SEARCH("Helen Walton death date"); decompose_complex_question limited, wrong_entity_confusion applied',
      '2 FINAL("Sam Walton") ran READ("doc_0"); insufficient_exploration applied',
      '3 FINAL("Sam") → FINAL("Sam Walton") ran FINAL("Sam Walton"); answer_completeness applied, claim_triangulation applied, claim_triangulation limited',
    ]);
    expect(episode).toMatchObject({
      outcome: "correct",
      answer: "Sam Walton",
      stopReason: "final",
      length: 4,
    });
    expect(episode?.steps[2]?.observation).toMatch(/^Helen Walton\n/);
    expect(episode?.steps[3]?.injected.map(({ skillId }) => skillId)).toEqual([
      "claim_triangulation",
      "answer_completeness",
    ]);
    expect(episode && contextsOf(episode, webSearch.contextRules).at(-1)).toMatchObject({
      readCount: 1,
      searchCount: 2,
      hasRead: true,
    });
    // The hint and the warning reached the model, each set apart.
    const asked = model.requests.map(({ messages }) => messages.at(-1)?.content ?? "");
    expect(asked[1]).toContain("Hint: Search first for the person or thing in the middle");
    expect(asked[3]).toContain(', READ("doc_0") ran.');
    expect(asked[4]).toContain("Hint: Answer with the full name");
  });
});
