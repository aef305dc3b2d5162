import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Episode, Step } from "../../src/model/episode.ts";
import type { Note } from "../../src/model/note.ts";

/** What a stranger's text could try: markup, links, a terminal's commands, direction, what has no width, halves of characters. */
const ATTEMPTS = [
  "</script><script>window.hacked=1</script>",
  '<img src="http://198.51.100.1/x.png" onerror="window.hacked=2">',
  "<!-- <script> </body></html> [x](javascript:window.hacked=3) <a href='javascript:window.hacked=4'>y</a>",
  "<svg/onload=window.hacked=5><style>*{display:none}</style><iframe srcdoc='<script>parent.hacked=6</script>'>",
  "\u001b]0;title\u0007\u001b[31mred\u001b[2J\u001b[H \u001b]8;;http://198.51.100.1/\u001b\\link\u001b]8;;\u001b\\",
  "\u009b31m \u009d0;title\u009c \u0090q\u009c \u0008\u0008\u007f\r",
  "\u202eevil\u202c \u2066a\u2069 \u200e\u200f\u061c \u2028 \u2029 \ufeff\u200b\u2060\u{e0041}",
  "\ud800 and \udc00 alone",
  "\n✓ all_is_well: 9 of 9 cases hold",
];

/** All of it. `where` comes first, so that a test can tell one field from another. */
export const hostile = (where: string): string => `${where} ${ATTEMPTS.join(" ")}`;

/** The same text as an argument that a reply may hold: in one line, each bracket closed. */
function oneArgument(text: string): string {
  const line = text.replaceAll(/[\r\n]/g, " ").replaceAll("]", " ");
  return line + "]".repeat(line.split("[").length - 1);
}

/** Said again where a skill holds it back. */
const ANSWER = `Thought: ${hostile("thought")}\nAction: FINAL[${oneArgument(hostile("answer"))}]`;

/** Short enough for an id or a label. */
export const hostileId = (where: string): string => `${where}\u001b[31m\u009b2J\u202e<b>\ud800\n`;

const BIG = 20 * 1024 * 1024;

/** 20 MB, hostile from the start to the end. */
export function hugeText(): string {
  const piece = `${hostile("observation")}\nlorem <b>ipsum</b> `;
  return piece.repeat(Math.ceil(BIG / piece.length)).slice(0, BIG);
}

function hostileStep(t: number, type: string, observation: string): Step {
  const action = { type, arg: hostile("arg") };
  const skillId = hostileId("skill");
  const call = {
    site: hostile("site"),
    prompt: hostile("prompt"),
    maxTokens: 9,
    temperature: 0,
    reply: hostile("reply"),
    error: hostile("error"),
  };
  const intervention = {
    type: "INJECT_CONTEXT",
    contextText: hostile("context"),
    reason: hostile("why"),
  } as const;
  return {
    t,
    instructions: [{ skillId, phase: "post_search", text: hostile("instruction") }],
    proposals: [{ thought: hostile("thought"), action }],
    events: [
      {
        skillId,
        proposal: 0,
        status: "applied",
        reason: hostile("reason"),
        intervention,
        teacherCalls: [call],
      },
      {
        skillId: hostileId("other"),
        proposal: 0,
        status: "error",
        reason: hostile("failure"),
        by: hostileId("by"),
      },
    ],
    executed: action,
    injected: [{ skillId, text: hostile("injected") }],
    observation,
    documents: [{ id: hostile("doc"), title: hostile("title"), text: hostile("text") }],
    extra: { [hostile("key")]: hostile("extra") },
  };
}

/** An episode in which every text is hostile; the first observation is `observation`. */
export function hostileEpisode(
  observation: string = hostile("observation"),
  id = hostileId("episode"),
): Episode {
  return {
    schema: "hasp.episode/2",
    id,
    questionId: hostileId("q"),
    sample: 1,
    outcome: "wrong",
    length: 3,
    question: hostile("question"),
    source: hostile("source"),
    facts: {
      domain: "web-search",
      actionTypes: ["SEARCH", "READ", "FINAL"],
      searchReturnsText: false,
      maxSteps: 8,
    },
    settings: { [hostile("setting")]: hostile("value") },
    library: [{ skillId: hostileId("skill"), version: 1, hash: hostileId("hash") }],
    prelude: hostile("prelude"),
    decisions: [
      {
        part: "pf_selector",
        by: "teacher",
        reason: hostile("decision"),
        chosen: [hostileId("chosen")],
        leftOut: [{ skillId: hostileId("left"), reason: hostile("left out") }],
        votes: [
          { skillId: hostileId("voter"), override: false, reason: hostile("vote"), query: hostile("query") },
        ],
        value: hostile("value"),
      },
    ],
    steps: [
      hostileStep(0, "SEARCH", observation),
      hostileStep(1, hostile("type"), hostile("observation")),
      hostileStep(2, "FINAL", ""),
    ],
    answer: hostile("answer"),
    gold: [hostile("gold")],
    stopReason: hostile("stop"),
    extra: { [hostile("key")]: hostile("extra") },
  };
}

export function hostileNotes(episodeId: string): Note[] {
  const note = { when: "2026-11-20T09:00:00Z", episodeId, kind: hostileId("label") };
  return [
    { ...note, id: hostileId("note"), text: hostile("note"), author: hostileId("author") },
    { ...note, id: hostileId("note-on-step"), t: 1, text: hostile("note") },
  ];
}

const SKILL_MD = (name: string): string => `---
name: ${name}
description: ${JSON.stringify(hostile("description"))}
metadata:
  hasp:
    skill_id: ${name}
    title: ${JSON.stringify(hostileId("title"))}
    version: 1
    priority: 0.4
    error_category: ${JSON.stringify(hostileId("category"))}
    applicable_modes: [all]
    applicable_phases: [think]
    system_summary: ${JSON.stringify(hostile("summary"))}
---

# ${hostile("body").toWellFormed()}
`;

const PF = `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const WORDS = ${JSON.stringify(hostile("words"))};

export default class Hostile extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return actionType === "SEARCH" && arg.length > 1 && ctx.question !== WORDS;
  }
  intervene(): Intervention {
    return injectContext(WORDS, ${JSON.stringify(hostile("reason"))});
  }
}
`;

const CASES = `cases:
  - name: ${JSON.stringify(hostileId("case"))}
    context: { question: ${JSON.stringify(hostile("question"))}, stepCount: 0, maxSteps: 8 }
    proposed: { type: SEARCH, arg: ${JSON.stringify(hostile("arg"))} }
    expect: { fires: false }
`;

const TORN_CASES = `cases:
  - name: wrong
    ${JSON.stringify(hostileId("key"))}: 1
    proposed: { type: ${JSON.stringify(hostile("type"))}, arg: "" }
`;

/** Words of a reply's own, so that it is no copy of the strangers' texts in its prompt. */
const ownWords = (about: string): string => Array.from({ length: 80 }, (_, i) => `${about}${i}`).join(" ");

/** A review; each text in it ends with `more` about its field. */
const review = (more: (field: string) => string): string => `${[
  "CONCEPT",
  "TRIGGER",
  "INTERVENE",
  "EXEC",
  "VAL",
]
  .map((name) => `${name}: 0.70\n${name} WHY: ${hostile(name)}${more(name)}`)
  .join("\n")}
SUGGESTIONS:
- ${hostile("suggestion")}${more("suggestion")}
DECISION: ACCEPT
`;

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const lines = (list: readonly unknown[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join("");

/** A line as bytes that no JSON has: the raw characters, not their escapes. */
const RAW_LINE = `{"schema":"hasp.episode/1","id":"${hostile("raw").toWellFormed()}\n`;

/**
 * A workspace of strangers: runs `one` and `two` (the first with an episode of 20 MB), a skill `hostile` that fires and one
 * that cannot be read, answers, a data set and files to import.
 */
export function writeHostileWorkspace(folder: string): void {
  const episode = hostileEpisode();
  const huge = { ...hostileEpisode(hugeText(), "huge"), questionId: "huge" };
  const run = {
    schema: "hasp.run/1",
    id: hostileId("run"),
    title: hostile("run"),
    domain: "web-search",
    createdAt: "2026-11-20T09:00:00Z",
    source: hostile("source"),
    settings: { [hostile("setting")]: hostile("value") },
  };
  const notes = hostileNotes(episode.id).map((note) => ({ schema: "hasp.note/1", op: "add", ...note }));
  const answer = {
    id: hostileId("q"),
    question: hostile("question"),
    pred: hostile("pred"),
    gold: hostile("gold"),
  };
  const said = (role: string) => ({ role, content: hostile(role) });
  const chat = { messages: [said("user"), said("assistant"), said(hostile("role"))] };
  const passage = { title: hostile("title"), text: hostile("passage") };
  const shard = { ...run, source: "hasp" };
  write(folder, {
    "runs/one/run.json": JSON.stringify(run),
    "runs/one/episodes.jsonl": lines([episode, huge]) + RAW_LINE,
    "runs/one/notes.jsonl": lines(notes) + RAW_LINE,
    "runs/two/run.json": JSON.stringify({ ...run, id: "two" }),
    "runs/two/episodes.jsonl": lines([
      { ...episode, outcome: "correct", answer: hostile("other answer") },
      { ...episode, id: "small", questionId: "huge" },
    ]),
    "skills/web-search/hostile/SKILL.md": SKILL_MD("hostile"),
    "skills/web-search/hostile/pf.ts": PF,
    "skills/web-search/hostile/cases.yaml": CASES,
    "skills/web-search/torn/SKILL.md": SKILL_MD(JSON.stringify(hostileId("torn"))),
    "skills/web-search/torn/pf.ts": `${PF}\n${hostile("code").toWellFormed()}`,
    "skills/web-search/torn/cases.yaml": TORN_CASES,
    "answers.jsonl": lines([answer]),
    "questions.jsonl": lines([{ ...answer, answer: hostile("answer") }]) + RAW_LINE,
    "corpus.jsonl": lines([passage]),
    "shards/a/run.json": JSON.stringify({ ...shard, id: hostileId("a") }),
    "shards/a/episodes.jsonl": lines([{ ...episode, source: "hasp" }]),
    "shards/b/run.json": JSON.stringify({ ...shard, id: hostileId("b") }),
    "shards/b/episodes.jsonl": lines([{ ...episode, source: "hasp" }]) + RAW_LINE,
    "chat.jsonl": lines([chat]) + RAW_LINE,
    "script.json": JSON.stringify(Array.from({ length: 12 }, () => ANSWER)),
    "teacher.json": JSON.stringify([{ when: ["Review"], text: review((field) => ` ${ownWords(field)}`) }]),
    "parrot.json": JSON.stringify([{ when: ["Review"], text: review(() => "") }]),
  });
}
