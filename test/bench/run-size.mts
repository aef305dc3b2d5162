import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Library } from "../../src/analysis/library.ts";
import { indexPassages } from "../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../src/domains/web-search/tools.ts";
import { exactMatchJudge } from "../../src/scoring/judge.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { libraryRefs } from "../../src/evaluation/library-refs.ts";
import { parseRunInputs } from "../../src/evaluation/run-inputs.ts";
import { modelPolicy } from "../../src/harness/model-policy.ts";
import { samplesOf } from "../../src/harness/question.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import { scriptedModel } from "../../src/llm/scripted-model.ts";
import { DEFAULT_CONTROL } from "../../src/model/control.ts";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import type { PfHost } from "../../src/sandbox/pf-host.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { hashText } from "../../src/trace/hash.ts";
import { keepLibrary } from "../../src/trace/library-store.ts";
import { openMessageStore } from "../../src/trace/message-store.ts";
import { openIn, shippedFolders } from "./library.mts";
import type { BenchRow } from "./measure.mts";

const SAMPLES = 50;
const STEPS = 6;
const WORDS =
  "the question asks who when which river city book family company first later after before born died wrote founded between both known called because so next document says".split(
    " ",
  );

/** About forty words, by the seed. */
function thought(drawn: number): string {
  return Array.from(
    { length: 40 },
    (_, i) => WORDS[(drawn + i * 7 + ((drawn >> (i % 20)) & 3)) % WORDS.length],
  ).join(" ");
}

/** A model that thinks aloud, searches, reads and answers, by the seed and by how far it is. */
function talkative(questions: readonly { readonly question: string }[]) {
  return scriptedModel(({ messages, seed = 0 }) => {
    const drawn = Number.parseInt(hashText(`${seed} ${messages.length}`).slice(-8), 16);
    const words = questions[drawn % questions.length]?.question.split(" ") ?? [];
    const turn = (messages.length - 2) / 2;
    const act =
      turn >= STEPS - 1
        ? `FINAL[${words[drawn % words.length] ?? "it"}]`
        : turn % 2 === 0
          ? `SEARCH[${words.slice(drawn % 3, 6 + (drawn % 3)).join(" ")}]`
          : `READ[doc_${drawn % 3}]`;
    return `Thought: ${thought(drawn)}\nAction: ${act}`;
  });
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Bytes of the line that `hasp.episode/1` had for the same episode. */
function bytesBefore(line: string): number {
  const { sample: _sample, verdicts: _verdicts, ...episode } = JSON.parse(line) as Episode;
  const steps = episode.steps.map((step) => ({
    ...step,
    proposals: step.proposals.map(({ completion: _completion, messages: _messages, ...rest }) => rest),
  }));
  // A skill was named by 14 digits.
  const library = episode.library.map(({ hash, ...ref }) => ({ ...ref, hash: hash.slice(0, 14) }));
  return Buffer.byteLength(JSON.stringify({ ...episode, id: episode.questionId, library, steps })) + 1;
}

async function sizeOfRun(
  root: string,
  library: Library,
  host: PfHost,
): Promise<{ now: number; before: number }> {
  const files = nodeFiles();
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-size-"));
  try {
    const [questions, corpus] = await Promise.all(
      ["questions.jsonl", "corpus/passages.jsonl"].map(async (name) => {
        const file = path.join(root, "samples", name);
        return { file, text: await readFile(file, "utf8") };
      }),
    );
    const { value: inputs } = parseRunInputs(questions ?? { file: "", text: "" }, { corpus });
    if (inputs === undefined) throw new Error("The sample questions cannot be read.");
    const about = { id: "bench", title: "bench", domain: webSearch.name, source: "hasp" };
    await createRun(files, folder, { ...about, createdAt: new Date().toISOString() });
    const redact = (text: string): string => text;
    await keepLibrary(files, folder, library.kept, { sha256, hide: redact });
    const index = indexPassages(inputs.corpus?.passages ?? []);
    await runQuestions({
      files,
      folder,
      samples: samplesOf(inputs.questions, SAMPLES),
      sampling: { temperature: 1, maxTokens: 512, seed: 7 },
      messages: await openMessageStore(files, folder, { sha256, redact }),
      redact,
      policy: modelPolicy(talkative(inputs.questions), webSearch.prompt),
      host,
      library: library.skills,
      libraryRefs: libraryRefs(library, sha256),
      control: { ...DEFAULT_CONTROL, maxSteps: STEPS, enableDifficultyGating: false },
      openEnvironment: () => openWebSearch(index),
      domain: webSearch,
      judge: exactMatchJudge,
      settings: { control: DEFAULT_CONTROL },
      concurrency: 16,
      signal: new AbortController().signal,
    });
    const lines = (await readFile(path.join(folder, "episodes.jsonl"), "utf8")).trimEnd().split("\n");
    return {
      now: await bytesBelow(folder),
      before: lines.reduce((sum, line) => sum + bytesBefore(line), 0),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes of a run folder against those of the same episodes without completions, messages, verdicts and texts of skills. */
export async function benchSize(root: string, workerFile: string): Promise<BenchRow[]> {
  const { library, host } = await openIn(workerFile, await shippedFolders(root, workerFile));
  try {
    const without: Library = { skills: [], active: [], kept: [], diagnostics: [] };
    const rows: BenchRow[] = [];
    for (const [name, skills] of [
      ["without skills", without],
      [`with ${library.active.length} skills`, library],
    ] as const) {
      const { now, before } = await sizeOfRun(root, skills, host);
      rows.push({
        name: `size of a live run ${name}`,
        ours: now / 1e6,
        baseline: before / 1e6,
        unit: "MB",
        method: `the sample's questions, ${SAMPLES} samples each, ${STEPS} steps, thoughts of 40 words; the whole run folder against its episodes as hasp.episode/1 lines; aim: under 1.6`,
      });
    }
    return rows;
  } finally {
    await host.close();
  }
}
