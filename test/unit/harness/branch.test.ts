import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import type { Library } from "../../../src/analysis/library.ts";
import { parseCorpus } from "../../../src/domains/passages/corpus.ts";
import { indexPassages } from "../../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../../src/domains/web-search/tools.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { prefixOf, seenIn } from "../../../src/harness/branch-prefix.ts";
import { runBranch, type BranchTask } from "../../../src/harness/branch.ts";
import type { Policy, Seen } from "../../../src/harness/policy.ts";
import { collectRecordings, recordedPolicy } from "../../../src/harness/recorded-policy.ts";
import { runQuestions, type RunTask } from "../../../src/harness/run-questions.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { readEpisodes } from "../../../src/trace/episode-file.ts";
import { openIndex } from "../../../src/trace/episode-index.ts";
import { loadSkills, openCore, ROOT, SAMPLE_SKILLS } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";
import { PLAIN_RUN, final, read, search, TEST_CONTROL } from "../../support/episodes.ts";
import { files, temporaryFolder } from "../trace/support.ts";

const QUESTION = {
  id: "walton",
  question: "Who was the husband of the prominent Walton family member who died after John died in 2005?",
  gold: ["Sam Walton"],
};
/** Searches twice alike, reads, and answers twice: PFs change an action, add contexts and hold an answer back. */
const SCRIPT = [
  search("Walton family members"),
  search("Walton family members"),
  search("Helen Walton"),
  read("doc_0"),
  final("Helen"),
  final("Sam Walton"),
];

const core = openCore();
let library: Library;
let searched: ReturnType<typeof indexPassages>;

/** Takes the script's next action, whichever step it is in; notes what it was shown. */
function scripted(shown: Map<string, readonly Seen[]> = new Map(), from = 0): Policy {
  let next = from;
  return {
    id: "scripted",
    async propose({ seen, t, proposal }) {
      shown.set(`${t}.${proposal}`, [...seen]);
      return { thought: `thought ${next}`, action: SCRIPT[next++] ?? final("Sam Walton") };
    },
  };
}

function taskOf(policy: Policy): Omit<RunTask, "folder"> {
  return {
    files,
    policy,
    samples: [{ question: QUESTION, sample: 1 }],
    ...PLAIN_RUN,
    host: core.host,
    library: library.skills,
    libraryRefs: [],
    domain: webSearch,
    control: TEST_CONTROL,
    settings: { policy: policy.id },
    concurrency: 1,
    signal: new AbortController().signal,
    openEnvironment: () => openWebSearch(searched),
  };
}

async function onlyEpisode(folder: string): Promise<Episode> {
  const index = await openIndex(files, `${folder}/episodes.jsonl`, { save: false });
  for await (const { value } of readEpisodes(files, index)) if (value !== undefined) return value;
  throw new Error("The run has no episode.");
}

async function recordOne(policy: Policy): Promise<Episode> {
  const folder = temporaryFolder();
  await runQuestions({ ...taskOf(policy), folder });
  return onlyEpisode(folder);
}

async function branch(episode: Episode, t: number, policy: Policy, more: Partial<BranchTask> = {}) {
  const folder = temporaryFolder();
  const from = { run: "runs/first", episode: episode.id, t };
  const made = await runBranch({ ...taskOf(policy), folder, from, episode, ...more });
  expect(await onlyEpisode(folder)).toEqual(made);
  return made;
}

async function reDriving(episode: Episode): Promise<Policy> {
  async function* one(): AsyncGenerator<Episode> {
    yield episode;
  }
  return recordedPolicy("recorded:here", await collectRecordings(one()));
}

/** Judging the record with its own library gives its events and actions again. */
async function expectReproduced(episode: Episode): Promise<void> {
  const judged = await judgeRecorded(episode, library, core.host);
  const again = judged.map(({ events, executed, diverged }) => ({ events, executed, diverged }));
  expect(again).toEqual(episode.steps.map(({ events, executed }) => ({ events, executed, diverged: false })));
}

const timeless = ({ steps }: Episode) => steps.map(({ dispatchMs: _, ...step }) => step);

beforeAll(async () => {
  library = await loadSkills(core, ...PAPER, SAMPLE_SKILLS);
  const corpus = parseCorpus(
    readFileSync(path.join(ROOT, "samples/corpus/passages.jsonl"), "utf8"),
    "corpus",
  );
  searched = indexPassages(corpus.value ?? []);
});
afterAll(async () => core.host.close());

describe("a branch of a recorded episode", () => {
  it("goes on, from every step, exactly as the episode itself went on", async () => {
    const shown = new Map<string, readonly Seen[]>();
    const episode = await recordOne(scripted(shown));
    const fired = episode.steps.flatMap(({ events }) => events).filter(({ status }) => status === "applied");
    expect(fired.length).toBeGreaterThan(1);
    expect(episode.steps.some(({ proposals }) => proposals.length > 1)).toBe(true);
    for (const [t, step] of episode.steps.entries()) {
      expect(seenIn(prefixOf(episode, t))).toEqual(shown.get(`${t}.0`));
      const made = await branch(episode, t, await reDriving(episode));
      expect(timeless(made)).toEqual(timeless(episode));
      await expectReproduced(made);
      expect([made.outcome, made.answer, made.stopReason]).toEqual(["correct", "Sam Walton", "final"]);
      expect(made.decisions?.filter((one) => one.t === step.t)).toEqual(
        episode.decisions?.filter((one) => one.t === step.t),
      );
    }
  });

  it("says where it left, and keeps the question and its gold answer", async () => {
    const episode = await recordOne(scripted());
    const made = await branch(episode, 2, scripted(new Map(), 4));
    expect(made).toMatchObject({
      id: "walton#1-branch-3",
      questionId: "walton",
      gold: ["Sam Walton"],
      extra: { branchedFrom: { run: "runs/first", episode: "walton#1", t: 2 } },
    });
    expect(timeless(made).slice(0, 2)).toEqual(timeless(episode).slice(0, 2));
  });

  it("reads a document of the latest recorded search, which it does not run again", async () => {
    const episode = await recordOne(scripted());
    const asked: string[] = [];
    const counting = {
      ...searched,
      search: (query: string, most: number) => {
        asked.push(query);
        return searched.search(query, most);
      },
    };
    const made = await branch(episode, 3, scripted(new Map(), 3), {
      library: [],
      openEnvironment: () => openWebSearch(counting),
    });
    expect(made.steps[3]?.observation).toBe(episode.steps[3]?.observation);
    expect(asked).toEqual([]);
  });

  it("may have as many steps as the record was given", async () => {
    const episode = await recordOne(scripted());
    const made = await branch(episode, 4, scripted(new Map(), 4), {
      control: { ...TEST_CONTROL, maxSteps: 2 },
    });
    expect(made.facts.maxSteps).toBe(TEST_CONTROL.maxSteps);
    expect(made.stopReason).toBe("final");
  });

  it("counts only what it spends itself", async () => {
    const episode = await recordOne(scripted());
    const paid = structuredClone(episode);
    for (const { proposals } of paid.steps)
      for (const proposal of proposals) proposal.usage = { inputTokens: 5, outputTokens: 5, cost: 1 };
    const made = await branch(paid, 3, scripted(new Map(), 3));
    expect(made.cost).toBeUndefined();
    expect(made.steps.flatMap(({ proposals }) => proposals.flatMap(({ usage }) => usage ?? []))).toEqual([]);
  });

  it("keeps what was done until a person stopped it", async () => {
    const episode = await recordOne(scripted());
    const stop = new AbortController();
    const policy: Policy = {
      id: "stopping",
      propose: async (_input, signal) => {
        stop.abort();
        signal.throwIfAborted();
        return undefined;
      },
    };
    const made = await branch(episode, 3, policy, { signal: stop.signal });
    expect(made).toMatchObject({ outcome: "halted", stopReason: "cancelled", length: 3 });
  });

  it("is refused at a step that is not there", async () => {
    const episode = await recordOne(scripted());
    await expect(branch(episode, 99, scripted())).rejects.toThrow(RangeError);
  });
});
