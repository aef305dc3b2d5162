import { stepCases, stepPf, whenOf, type SkillOrigin } from "./scaffold-step.ts";

/** What a person says about a new skill before there is a file. */
export interface NewSkill {
  /** kebab-case; `checkSkillName` says why a name will not do. */
  readonly name: string;
  /** Absent: the name in words. */
  readonly title?: string;
  /** When to use the skill, in one sentence. */
  readonly description: string;
  readonly domain: string;
  /** `rewrite` replaces the proposed action, `inject` adds a text for the policy to read. */
  readonly kind: "rewrite" | "inject";
  /** The recorded step that it is made from: its trigger fires there, and the step is its first case. */
  readonly origin?: SkillOrigin | undefined;
}

/** Modes that the vocabulary knows; a domain of one's own is for all. */
const DOMAINS: readonly string[] = ["web-search", "math", "code", "coding-agent"];

/** The files of a new skill by their path in its folder. They validate clean and their cases hold. */
export function scaffoldSkill(request: NewSkill): ReadonlyMap<string, string> {
  const { kind, origin } = request;
  const rewrites = kind === "rewrite";
  if (origin !== undefined)
    return new Map([
      ["SKILL.md", skillMd(request, textsOfStep(kind, origin))],
      ["pf.ts", stepPf(classOf(request.name), kind, origin)],
      ["cases.yaml", stepCases(kind, origin)],
    ]);
  return new Map([
    ["SKILL.md", skillMd(request, STARTER_TEXTS[kind])],
    ["pf.ts", rewrites ? rewritePf(request.name) : injectPf(request.name)],
    ["cases.yaml", rewrites ? REWRITE_CASES : INJECT_CASES],
  ]);
}

/** A double-quoted YAML text is a JSON text on one line. */
function quoted(text: string): string {
  return JSON.stringify(text.replaceAll(/\s+/g, " ").trim());
}

function titleOf({ name, title }: NewSkill): string {
  const words = name.replaceAll("-", " ");
  return (title?.trim() || words.charAt(0).toUpperCase() + words.slice(1)).replaceAll(/\s+/g, " ");
}

/** What the starter imports; a class of the same name would collide. */
const TAKEN: ReadonlySet<string> = new Set(["ProgramFunction", "ActionType", "Intervention", "StepContext"]);

function classOf(name: string): string {
  const joined = name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return TAKEN.has(joined) ? `${joined}Skill` : joined;
}

/** What SKILL.md says of the starter. */
interface SkillTexts {
  readonly summary: string;
  readonly phase: string;
  readonly trigger: string;
  readonly does: string;
}

const STARTER_TEXTS: Readonly<Record<NewSkill["kind"], SkillTexts>> = {
  rewrite: {
    summary: "Keep search queries short: names, numbers and the one fact you want.",
    phase: "search",
    trigger: "The proposed action is a SEARCH with a long query.",
    does: "It keeps the first words of the query.",
  },
  inject: {
    summary: "Read at least one source before you answer.",
    phase: "answer",
    trigger: "The proposed action is a FINAL, and nothing has been read.",
    does: "It reminds the policy to read a source, once per episode.",
  },
};

function textsOfStep(kind: NewSkill["kind"], origin: SkillOrigin): SkillTexts {
  const when = whenOf(origin);
  return {
    summary: `Look again where ${when}.`,
    phase: origin.proposed.type === "FINAL" ? "answer" : "search",
    trigger: `${when.charAt(0).toUpperCase()}${when.slice(1)}.`,
    does:
      kind === "rewrite"
        ? "It searches for the words of the question instead, once per episode."
        : "It asks the policy to look again, once per episode.",
  };
}

function skillMd(request: NewSkill, { summary, phase, trigger, does }: SkillTexts): string {
  const { name, description, domain } = request;
  const title = titleOf(request);
  return `---
name: ${name}
description: ${quoted(description)}
metadata:
  hasp:
    skill_id: ${name.replaceAll("-", "_")}
    title: ${quoted(title)}
    version: 1
    priority: 0.5
    error_category: ${name.replaceAll("-", "_")}
    applicable_modes: [${DOMAINS.includes(domain) ? domain : "all"}]
    applicable_phases: [${phase}]
    system_summary: ${quoted(summary)}
---

# ${title}

${description.trim()}

## Detection triggers

- ${trigger}

## What the Program Function does

${does}
`;
}

function rewritePf(name: string): string {
  return `import { modifyAction, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

/** Words in a query above which this skill steps in. */
const LONGEST_QUERY = 15;
/** Words that are kept. */
const SHORT_QUERY = 12;

export default class ${classOf(name)} extends ProgramFunction {
  /** When to step in: runs at every step, on the action that the policy proposes. */
  shouldActivate(_ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return actionType === "SEARCH" && wordsOf(arg).length > LONGEST_QUERY;
  }

  /** What to do then. */
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const words = wordsOf(arg);
    return modifyAction({
      arg: words.slice(0, SHORT_QUERY).join(" "),
      reason: \`query of \${words.length} words cut to \${SHORT_QUERY}\`,
    });
  }
}

function wordsOf(text: string): string[] {
  return text.split(/\\s+/).filter((word) => word !== "");
}
`;
}

function injectPf(name: string): string {
  return `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

/** What the policy reads before it proposes again. */
const REMINDER = "Nothing has been read yet. Open the most promising source and check the answer against it.";

export default class ${classOf(name)} extends ProgramFunction {
  /** How often this skill may step in per episode. */
  override maxFires = 1;

  /** When to step in: runs at every step, on the action that the policy proposes. */
  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    return actionType === "FINAL" && !ctx.hasRead;
  }

  /** What to do then. */
  intervene(ctx: StepContext): Intervention {
    return injectContext(REMINDER, \`answered after \${ctx.searchCount} searches, nothing read\`);
  }
}
`;
}

const REWRITE_CASES = `# Contexts with the decision that pf.ts must come to. Fields of the step context that a case does not name are empty.
cases:
  - name: a query of twenty words is cut
    proposed:
      type: SEARCH
      arg: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
    expect:
      fires: true
      type: MODIFY_ACTION
      newActionArg: one two three four five six seven eight nine ten eleven twelve

  - name: a short query stays
    proposed: { type: SEARCH, arg: a short query }
    expect: { fires: false }

  - name: an answer is no query
    context:
      searchCount: 2
    proposed: { type: FINAL, arg: some answer }
    expect: { fires: false }
`;

const INJECT_CASES = `# Contexts with the decision that pf.ts must come to. Fields of the step context that a case does not name are empty.
cases:
  - name: an answer with nothing read is held back
    context:
      searchCount: 2
    proposed: { type: FINAL, arg: some answer }
    expect:
      fires: true
      type: INJECT_CONTEXT
      contextContains: Nothing has been read yet

  - name: an answer after reading stands
    context:
      searchCount: 1
      readCount: 1
    proposed: { type: FINAL, arg: some answer }
    expect: { fires: false }

  - name: a search goes on
    proposed: { type: SEARCH, arg: some words }
    expect: { fires: false }
`;
