import { failureRequest } from "../../src/analysis/failures/failure-prompt.ts";
import { semanticPrompt } from "../../src/analysis/signals/semantic-judge.ts";
import type { Domain } from "../../src/domains/domain.ts";
import { likenessOf } from "../../src/domains/texts.ts";
import { authorRequest } from "../../src/evolve/author/author-prompt.ts";
import { formatAnswer } from "../../src/harness/final/answer-format.ts";
import { voteOnFinal } from "../../src/harness/final/handlers.ts";
import { decideRetry } from "../../src/harness/final/retry.ts";
import { passGate } from "../../src/harness/select/difficulty-gate.ts";
import { selectPfs } from "../../src/harness/select/pf-selector.ts";
import { rankSkills } from "../../src/harness/select/skill-selector.ts";
import type { ChatRequest } from "../../src/llm/chat-model.ts";
import { DEFAULT_CONTROL } from "../../src/model/control.ts";
import { EPISODE_SCHEMA, type Episode } from "../../src/model/episode.ts";
import type { StepContext } from "../../src/model/step-context.ts";
import { reviewRequest } from "../../src/review/review-prompt.ts";
import { judgePrompt } from "../../src/scoring/llm-judge.ts";
import { librarySkill } from "./episodes.ts";
import { teacherSaying } from "./teacher.ts";

const QUESTION = "How long is the bridge, in metres?";
const THOUGHT = "It has twelve spans of nine metres.";
const ANSWER = "108";

/** Something was found, so that a prompt which shows findings has some to show. */
const CONTEXT: StepContext = {
  question: QUESTION,
  stepCount: 0,
  maxSteps: 6,
  hasRead: true,
  searchCount: 1,
  readCount: 1,
  emptyResults: false,
  contradictorySources: false,
  actionHistory: [],
  lastSearchResultsText: "Twelve spans.",
  allReadContents: ["Twelve spans of nine metres each."],
  thought: THOUGHT,
};

const { skill } = librarySkill("span_check", {
  handler: { kind: "llm", question: "Is the unit the one that is asked for?" },
});

function episodeOf(domain: Domain): Episode {
  const action = { type: domain.finalAction, arg: ANSWER };
  const proposals = [{ thought: THOUGHT, action }];
  return {
    schema: EPISODE_SCHEMA,
    id: "e1",
    questionId: "q1",
    sample: 1,
    outcome: "wrong",
    question: QUESTION,
    source: "hasp",
    facts: {
      domain: domain.name,
      actionTypes: [...domain.actionTypes],
      finalAction: domain.finalAction,
      searchReturnsText: false,
      maxSteps: 6,
    },
    library: [],
    stopReason: "final",
    answer: ANSWER,
    gold: ["110"],
    steps: [{ t: 0, proposals, events: [], executed: action, injected: [], observation: "" }],
    length: 1,
  };
}

const textOf = ({ messages }: Pick<ChatRequest, "messages">): string =>
  messages.map(({ role, content }) => `[${role}]\n${content}`).join("\n");

/** What the teacher reads within an episode of the domain, and a note of the retry that no teacher wrote. */
async function ofEpisode(domain: Domain): Promise<(readonly [string, string])[]> {
  const asked: { site: string; prompt: string }[] = [];
  const teacher = teacherSaying({}, asked);
  const control = { ...DEFAULT_CONTROL, enableDifficultyGating: true };
  const { actionTypes, finalAction } = domain;
  await passGate(QUESTION, control, teacher, domain);
  await selectPfs({
    question: QUESTION,
    ranked: rankSkills([skill], domain.name, QUESTION),
    lists: domain.pfLists,
    control,
    teacher,
  });
  await voteOnFinal({
    t: 0,
    answer: ANSWER,
    context: CONTEXT,
    facts: { actionTypes: [...actionTypes], finalAction },
    skills: [skill],
    host: { votes: async () => [] },
    loaded: new Set(),
    states: new Map(),
    control,
    overridden: 0,
    teacher,
  });
  const retry = await decideRetry({
    t: 0,
    answer: "unknown",
    context: CONTEXT,
    round: 1,
    maxRounds: 2,
    teacher,
    domain,
  });
  await formatAnswer(QUESTION, ANSWER, teacher, domain);
  return [...asked.map(({ site, prompt }) => [site, prompt] as const), ["retry, the note", retry.note ?? ""]];
}

/** What the author of skills and the reviewer read. */
function ofSkills(domain: Domain): (readonly [string, string])[] {
  const { steps, question } = episodeOf(domain);
  const task = {
    id: "c1",
    domain,
    cluster: {
      category: "wrong_unit",
      abstraction: "The answer is in another unit.",
      trigger: "The unit of the answer differs from that of the question.",
      hint: "Convert it.",
      group: "format" as const,
      size: 3,
    },
    examples: [{ question, steps, at: [0] }],
    library: [],
  };
  const subject = {
    folder: { folder: `skills/${domain.name}/span-check` },
    skill,
    texts: {},
    fingerprint: { hash: "0".repeat(40), files: {} },
    domain,
  } as unknown as Parameters<typeof reviewRequest>[0];
  const evidence = { findings: [], executable: undefined, cases: [] };
  const review = reviewRequest(subject, evidence);
  return [
    ["author", textOf(authorRequest(task))],
    ["author, short", textOf(authorRequest(task, "short"))],
    ["review", textOf(review.request)],
    ["review, short", textOf(review.short)],
  ];
}

/** Every prompt that a teacher reads about one question in a domain, by its name. */
export async function teacherPrompts(domain: Domain): Promise<(readonly [name: string, text: string])[]> {
  const episode = episodeOf(domain);
  const failure = failureRequest(episode, ["wrong_unit"]);
  const judge = judgePrompt({
    question: QUESTION,
    gold: ["110"],
    answer: ANSWER,
    likeness: likenessOf(domain),
  });
  return [
    ...(await ofEpisode(domain)),
    ["failure", textOf(failure.request)],
    ["failure, short", textOf(failure.short)],
    ["semantic", textOf({ messages: semanticPrompt(episode, 0) })],
    ["semantic, short", textOf({ messages: semanticPrompt(episode, 0, "short") })],
    ["judge", `${judge.system}\n${judge.user}`],
    ...ofSkills(domain),
  ];
}
