import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webSearchRules } from "../../src/domains/web-search/context-rules.ts";
import { episodeSchema, type Episode } from "../../src/model/episode.ts";
import type { PfProgram } from "../../src/model/skill.ts";
import { createPfHost } from "../../src/sandbox/create-pf-host.ts";
import type { PfQuestion, PfVerdict } from "../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../src/sandbox/quickjs-host.ts";
import { transpile } from "../../src/skill/transpile.ts";
import { contextsOf } from "../../src/trace/context-at.ts";

const root = new URL("../../", import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, root), "utf8");

const FOLDERS = {
  retrieval_failure: "skills/web-search/retrieval-failure",
  insufficient_exploration: "skills/web-search/insufficient-exploration",
  decompose_complex_question: "skills/web-search/decompose-complex-question",
  repeated_query: "samples/skills/web-search/repeated-query",
};
const skillIds = Object.keys(FOLDERS);
const programs: PfProgram[] = Object.entries(FOLDERS).map(([skillId, folder]) => {
  const file = `${folder}/pf.ts`;
  return { skillId, priority: 0.5, file, code: transpile(text(file), file).value ?? "" };
});

const episodes = text("samples/.hasp/runs/first-look/episodes.jsonl")
  .trimEnd()
  .split("\n")
  .map((line) => episodeSchema.parse(JSON.parse(line)));
const host = createPfHost(createSandbox(() => performance.now()));

beforeAll(async () => {
  const loaded = await host.load(programs);
  expect(loaded.filter((pf) => !pf.ok)).toEqual([]);
});
afterAll(() => host.close());

function questionsOf(episode: Episode): PfQuestion[] {
  const contexts = contextsOf(episode, webSearchRules);
  return episode.steps.flatMap((step, t) => {
    const context = contexts[t];
    const proposed = step.proposals[0]?.action;
    return context && proposed ? [{ context, proposed, actionTypes: episode.facts.actionTypes }] : [];
  });
}

function inWords(verdict: PfVerdict): string {
  if (verdict.kind !== "fired") return verdict.kind;
  const { intervention } = verdict;
  if (intervention.type !== "MODIFY_ACTION") return intervention.type;
  return `${intervention.newActionType ?? "same"} ${intervention.newActionArg ?? "same"}`;
}

/** What each skill decides on each recorded proposal, silence left out: `2 insufficient_exploration READ doc_0`. */
async function decisions(id: string): Promise<string[]> {
  const episode = episodes.find((known) => known.id === id);
  if (episode === undefined) throw new Error(`samples/ has no episode ${id}`);
  const verdicts = await host.fold(skillIds, questionsOf(episode));
  return [...verdicts]
    .flatMap(([skillId, steps]) => steps.map((verdict, t) => `${t} ${skillId} ${inWords(verdict)}`))
    .filter((line) => !line.endsWith(" skipped"))
    .toSorted();
}

describe("today's skills on the recorded Walton episodes", () => {
  it("hint at the chain at step 0, once, and turn the unread FINAL at step 2 into a READ", async () => {
    expect(await decisions("walton-skills")).toEqual([
      "0 decompose_complex_question INJECT_CONTEXT",
      "1 decompose_complex_question limited",
      "2 insufficient_exploration READ doc_0",
    ]);
  });

  it("would have stepped in three times where none of them watched", async () => {
    expect(await decisions("walton-plain")).toEqual([
      "0 decompose_complex_question INJECT_CONTEXT",
      "1 decompose_complex_question limited",
      "2 decompose_complex_question limited",
      "2 repeated_query INJECT_CONTEXT",
      "3 insufficient_exploration READ doc_0",
    ]);
  });
});

describe("the sample run as a whole", () => {
  it.each(episodes.map((episode) => [episode.id, episode] as const))(
    "%s records what its skills decide today",
    async (_id, episode) => {
      const known = new Set(skillIds);
      const recorded = episode.steps.flatMap((step) =>
        step.events
          .filter((event) => known.has(event.skillId) && event.status !== "skipped")
          .map((event) => {
            const { intervention } = event;
            const answer =
              intervention?.type === "MODIFY_ACTION"
                ? `${intervention.newActionType ?? "same"} ${intervention.newActionArg ?? "same"}`
                : (intervention?.type ?? event.status);
            return `${step.t} ${event.skillId} ${answer}`;
          }),
      );
      const library = new Set(episode.library.map((skill) => skill.skillId));
      const today = (await decisions(episode.id)).filter((line) => library.has(line.split(" ")[1] ?? ""));
      expect(today).toEqual(recorded.toSorted());
    },
  );
});
