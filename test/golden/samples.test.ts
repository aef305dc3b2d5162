import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { webSearchRules } from "../../src/domains/web-search/context-rules.ts";
import { runSchema, type Episode } from "../../src/model/episode.ts";
import { contextsOf } from "../../src/trace/context-at.ts";
import { parseEpisode } from "../../src/trace/episode-file.ts";

const samples = new URL("../../samples/", import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, samples), "utf8");
const records = (path: string): unknown[] =>
  text(path)
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));

interface Passage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}
interface Question {
  readonly id: string;
  readonly question: string;
  readonly gold: readonly string[];
}

const passages = readdirSync(new URL("corpus/", samples)).flatMap((file) =>
  records(`corpus/${file}`),
) as Passage[];
const questions = records("questions.jsonl") as Question[];
const runs = readdirSync(new URL(".hasp/runs/", samples));
const episodes = runs.flatMap((run) =>
  records(`.hasp/runs/${run}/episodes.jsonl`).map((record) => {
    const { value } = parseEpisode(JSON.stringify(record), run, 0);
    if (value === undefined) throw new Error(`${run} has a line that is no episode`);
    return value;
  }),
);

function normalise(answer: string): string {
  return answer
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, "")
    .replace(/\b(?:a|an|the)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function judged(episode: Episode): Episode["outcome"] {
  const { answer, gold } = episode;
  if (answer === undefined) return "halted";
  if (gold === undefined) return "unjudged";
  return gold.some((right) => normalise(right) === normalise(answer)) ? "correct" : "wrong";
}

const byId = (id: string): Episode => {
  const found = episodes.find((episode) => episode.id === id);
  if (found === undefined) throw new Error(`samples/ has no episode ${id}`);
  return found;
};

describe("the sample corpus", () => {
  it("holds some forty passages with an id of their own and a text", () => {
    expect(passages.length).toBeGreaterThanOrEqual(40);
    expect(new Set(passages.map((passage) => passage.id)).size).toBe(passages.length);
    for (const passage of passages) expect(passage.text.length, passage.id).toBeGreaterThan(60);
  });

  it("holds the answer to each question, save the two that must be worked out", () => {
    const corpus = normalise(passages.map((passage) => `${passage.title} ${passage.text}`).join(" "));
    const workedOut = ["linux-git", "walton-states"];
    for (const { id, gold } of questions.filter((question) => !workedOut.includes(question.id))) {
      expect(
        gold.some((right) => corpus.includes(normalise(right))),
        id,
      ).toBe(true);
    }
  });

  it("comes with about a dozen questions", () => {
    expect(new Set(questions.map((question) => question.id)).size).toBe(questions.length);
    expect(questions.length).toBeGreaterThanOrEqual(12);
  });
});

describe.each(runs)("the sample run %s", (run) => {
  it("has a valid run.json whose id is its folder", () => {
    expect(runSchema.parse(JSON.parse(text(`.hasp/runs/${run}/run.json`))).id).toBe(run);
  });

  it("begins each line with the index fields, so that a list needs only its head", () => {
    for (const line of text(`.hasp/runs/${run}/episodes.jsonl`).trimEnd().split("\n")) {
      expect(Object.keys(JSON.parse(line) as object).slice(0, 5)).toEqual([
        "schema",
        "id",
        "questionId",
        "outcome",
        "length",
      ]);
    }
  });
});

describe("the sample episodes", () => {
  it("are right, wrong and halted ones, each with an id of its own", () => {
    expect(new Set(episodes.map((episode) => episode.id)).size).toBe(episodes.length);
    expect(new Set(episodes.map((episode) => episode.outcome))).toEqual(
      new Set(["correct", "wrong", "halted"]),
    );
  });

  it.each(episodes.map((episode) => [episode.id, episode] as const))(
    "%s agrees with itself",
    (_id, episode) => {
      const question = questions.find((known) => known.id === episode.questionId);
      expect(episode.question).toBe(question?.question);
      expect(episode.gold).toEqual(question?.gold);
      expect(episode.outcome).toBe(judged(episode));
      expect(episode.length).toBe(episode.steps.length);
      expect(episode.steps.map((step) => step.t)).toEqual(episode.steps.map((_step, t) => t));
      expect(episode.length).toBeLessThanOrEqual(episode.facts.maxSteps);
      const last = episode.steps.at(-1)?.executed;
      expect(last?.type === "FINAL" ? last.arg : undefined).toBe(episode.answer);
    },
  );

  it.each(episodes.map((episode) => [episode.id, episode] as const))(
    "%s quotes the corpus",
    (_id, episode) => {
      for (const document of episode.steps.flatMap((step) => step.documents ?? [])) {
        const passage = passages.find((known) => known.title === document.title);
        expect(document.text, document.title).toBe(passage?.text);
      }
    },
  );

  it.each(episodes.map((episode) => [episode.id, episode] as const))(
    "%s records each PF of its library once a step",
    (_id, episode) => {
      const library = episode.library.map((skill) => skill.skillId);
      for (const step of episode.steps) {
        expect(step.events.filter((event) => event.proposal === 0).map((event) => event.skillId)).toEqual(
          library,
        );
      }
    },
  );

  it.each(episodes.map((episode) => [episode.id, episode] as const))(
    "%s executes what its events say",
    (_id, episode) => {
      for (const step of episode.steps) {
        const applied = step.events
          .filter((event) => event.status === "applied")
          .map((event) => event.intervention);
        const modified = applied.find((intervention) => intervention?.type === "MODIFY_ACTION");
        const proposed = step.proposals.at(-1)?.action;
        expect(step.executed.type).toBe(modified?.newActionType ?? proposed?.type);
        expect(step.executed.arg).toBe(modified?.newActionArg ?? proposed?.arg);
        const texts = applied.flatMap((intervention) =>
          intervention?.type === "INJECT_CONTEXT" ? [intervention.contextText] : [],
        );
        expect(step.injected.map((injected) => injected.text)).toEqual(texts);
      }
    },
  );
});

describe("the Walton question", () => {
  it("is answered with an invented name where no skill watches", () => {
    const episode = byId("walton-plain");
    const searches = episode.steps
      .filter((step) => step.executed.type === "SEARCH")
      .map((step) => step.executed.arg);
    expect(episode.outcome).toBe("wrong");
    expect(episode.answer).toBe("Bruce Walton");
    expect(searches.at(-1)).toBe(searches.at(-2));
    expect(contextsOf(episode, webSearchRules).at(-1)?.hasRead).toBe(false);
  });

  it("is answered rightly where a hint, a forced READ and a completeness check step in", () => {
    const episode = byId("walton-skills");
    const applied = episode.steps.flatMap((step) =>
      step.events.filter((event) => event.status === "applied").map((event) => `${step.t} ${event.skillId}`),
    );
    expect(applied).toEqual([
      "0 decompose_complex_question",
      "2 insufficient_exploration",
      "3 answer_completeness",
    ]);
    expect(episode.steps[2]?.proposals[0]?.action).toEqual({ type: "FINAL", arg: "Sam Walton" });
    expect(episode.steps[2]?.executed).toEqual({ type: "READ", arg: "doc_0" });
    expect(episode.steps[3]?.proposals.map((proposal) => proposal.action.arg)).toEqual(["Sam", "Sam Walton"]);
    expect(episode.outcome).toBe("correct");
  });
});
