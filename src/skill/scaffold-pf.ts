import { TODO_CODE, TODO_TEXT } from "./template-text.ts";

/**
 * The PFs and cases that a new skill begins with: each shows one whole thought, and marks what its author is to replace. Until that is
 * replaced the PF acts nowhere; its cases hold.
 */
export interface StarterCode {
  /** `pf.ts`, by the name of its class. */
  readonly pf: (className: string) => string;
  readonly cases: string;
}

const NOTE = `# Contexts with the decision that pf.ts must come to. Fields of the step context that a case does not name are empty.
cases:`;
const CODING_NOTE = `# Tiny sessions with the decision that pf.ts must come to.
cases:`;

const imports = (words: string, context = "StepContext"): string =>
  `import { ${words}, ProgramFunction, type ActionType, type ${[context, "Intervention"].toSorted().join(", type ")} } from "hasp";`;

const WHEN = "/** When to step in: runs at every step, on the action that the policy proposes. */";
const ONCE = "/** How often this skill may step in per episode. */";

/** Long queries are cut. */
export const SHORT_QUERY: StarterCode = {
  pf: (name) => `${imports("modifyAction")}

/** Words in a query above which this skill steps in. */
const LONGEST_QUERY = 15;
/** Words that are kept. */
const SHORT_QUERY = 12;

export default class ${name} extends ProgramFunction {
  ${ONCE}
  override maxFires = 3;

  ${WHEN}
  shouldActivate(_ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return ${TODO_CODE} actionType === "SEARCH" && wordsOf(arg).length > LONGEST_QUERY;
  }

  /** The intervention, where it steps in. */
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const words = wordsOf(arg);
    return modifyAction({
      arg: ${TODO_CODE} words.slice(0, SHORT_QUERY).join(" "),
      reason: \`${TODO_TEXT} query of \${words.length} words cut to \${SHORT_QUERY}\`,
    });
  }
}

function wordsOf(text: string): string[] {
  return text.split(/\\s+/).filter((word) => word !== "");
}
`,
  cases: `${NOTE}
  - name: "${TODO_TEXT} a query of twenty words is cut"
    proposed:
      type: SEARCH
      arg: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
    expect:
      fires: true
      type: MODIFY_ACTION
      newActionArg: one two three four five six seven eight nine ten eleven twelve

  - name: "${TODO_TEXT} a short query stays"
    proposed: { type: SEARCH, arg: a short query }
    expect: { fires: false }

  - name: "${TODO_TEXT} an answer is no query"
    context:
      searchCount: 2
    proposed: { type: FINAL, arg: some answer }
    expect: { fires: false }
`,
};

/** An answer with nothing read is held back. */
export const READ_FIRST: StarterCode = {
  pf: (name) => `${imports("injectContext")}

export default class ${name} extends ProgramFunction {
  ${ONCE}
  override maxFires = 1;

  ${WHEN}
  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    return ${TODO_CODE} actionType === "FINAL" && !ctx.hasRead;
  }

  /** The intervention, where it steps in. */
  intervene(ctx: StepContext): Intervention {
    const reminder = \`${TODO_TEXT} Nothing has been read yet, after \${ctx.searchCount} searches. Open the most promising source and check the answer against it.\`;
    return injectContext(reminder, "${TODO_TEXT} answered, and nothing read");
  }
}
`,
  cases: `${NOTE}
  - name: "${TODO_TEXT} an answer with nothing read is held back"
    context:
      searchCount: 2
    proposed: { type: FINAL, arg: some answer }
    expect:
      fires: true
      type: INJECT_CONTEXT

  - name: "${TODO_TEXT} an answer after reading stands"
    context:
      searchCount: 1
      readCount: 1
    proposed: { type: FINAL, arg: some answer }
    expect: { fires: false }

  - name: "${TODO_TEXT} a search goes on"
    proposed: { type: SEARCH, arg: some words }
    expect: { fires: false }
`,
};

/** An answer that declines to answer is held back, and voted against. */
export const NO_GUESS: StarterCode = {
  pf: (name) => `${imports("injectContext")}

/** An answer in such words is none. */
const DECLINES = /\\b(?:unknown|not sure|cannot be determined|no information)\\b/i;
/** The policy reads this before it proposes again. */
const REMINDER = "${TODO_TEXT} That does not answer the question. Name what is missing, and find it out before you answer.";

export default class ${name} extends ProgramFunction {
  /** It holds the answer back once; after that its vote is all that it does. */
  override maxFires = 1;

  /** What it thinks of an action; on a FINAL this is its vote, too. */
  shouldActivate(_ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return ${TODO_CODE} actionType === "FINAL" && DECLINES.test(arg);
  }

  /** The intervention, where it steps in. */
  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return injectContext(REMINDER, \`${TODO_TEXT} "\${arg.slice(0, 60)}" is no answer, after \${ctx.stepCount} steps\`);
  }
}
`,
  cases: `${NOTE}
  - name: "${TODO_TEXT} an answer that declines is held back"
    proposed: { type: FINAL, arg: It cannot be determined. }
    expect:
      fires: true
      type: INJECT_CONTEXT

  - name: "${TODO_TEXT} an answer that answers stands"
    proposed: { type: FINAL, arg: "1962" }
    expect: { fires: false }

  - name: "${TODO_TEXT} the same words in another action are no answer"
    proposed: { type: SEARCH, arg: author unknown }
    expect: { fires: false }
`,
};

/** Words around an answer are cut off. For any domain that ends with an answer. */
export const BARE_ANSWER: StarterCode = {
  pf: (name) => `${imports("modifyAction")}

/** Words that stand before an answer and are no part of it. */
const LEAD = /^\\s*(?:so,?\\s+)?the\\s+(?:final\\s+)?answer\\s+is:?\\s+/i;

export default class ${name} extends ProgramFunction {
  ${ONCE}
  override maxFires = 1;

  ${WHEN}
  shouldActivate(_ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return ${TODO_CODE} actionType === "FINAL" && LEAD.test(arg);
  }

  /** The intervention, where it steps in. */
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return modifyAction({
      arg: ${TODO_CODE} arg.replace(LEAD, ""),
      reason: "${TODO_TEXT} the answer alone, without a lead",
    });
  }
}
`,
  cases: `${NOTE}
  - name: "${TODO_TEXT} the lead of an answer is cut off"
    proposed: { type: FINAL, arg: The answer is 42 }
    expect:
      fires: true
      type: MODIFY_ACTION
      newActionArg: "42"

  - name: "${TODO_TEXT} a bare answer stays"
    proposed: { type: FINAL, arg: "42" }
    expect: { fires: false }

  - name: "${TODO_TEXT} another action is no answer"
    proposed: { type: other, arg: The answer is 42 }
    expect: { fires: false }
`,
};

/** An answer at the first step is held back. For any domain that ends with an answer. */
export const CHECK_FIRST: StarterCode = {
  pf: (name) => `${imports("injectContext")}

export default class ${name} extends ProgramFunction {
  ${ONCE}
  override maxFires = 1;

  ${WHEN}
  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    return ${TODO_CODE} actionType === "FINAL" && ctx.stepCount === 0;
  }

  /** The intervention, where it steps in. */
  intervene(ctx: StepContext): Intervention {
    const reminder = \`${TODO_TEXT} You have taken no step yet, of \${ctx.maxSteps}. Check the answer once before you give it.\`;
    return injectContext(reminder, "${TODO_TEXT} answered at once");
  }
}
`,
  cases: `${NOTE}
  - name: "${TODO_TEXT} an answer at the first step is held back"
    proposed: { type: FINAL, arg: some answer }
    expect:
      fires: true
      type: INJECT_CONTEXT

  - name: "${TODO_TEXT} an answer after two steps stands"
    context:
      stepCount: 2
    proposed: { type: FINAL, arg: some answer }
    expect: { fires: false }

  - name: "${TODO_TEXT} another action goes on"
    proposed: { type: other, arg: some words }
    expect: { fires: false }
`,
};

/** `npm install` becomes `npm ci`. */
export const LOCKED_INSTALL: StarterCode = {
  pf: (
    name,
  ) => `import { changeCommand, ProgramFunction, type ActionType, type CodingContext, type Intervention } from "hasp";

export default class ${name} extends ProgramFunction {
  /** When to step in: runs at every call that the agent proposes. No \`maxFires\`: a guard must not fall silent. */
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return ${TODO_CODE} installs(ctx).length > 0;
  }

  /** The intervention, where it steps in. */
  intervene(ctx: CodingContext): Intervention {
    const edits = ${TODO_CODE} installs(ctx).map((range) => ({ range, text: "npm ci" }));
    return changeCommand(ctx, edits, "${TODO_TEXT} installs what the lockfile says");
  }
}

/** Where a bare \`npm install\` stands in the command line. */
function installs({ command }: CodingContext): { readonly start: number; readonly end: number }[] {
  return (command?.calls ?? []).flatMap(({ name, args, via, range }) => {
    const isBare = name === "npm" && args.length === 1 && /^(?:i|install)$/.test(args[0] ?? "");
    return isBare && via.length === 0 && range !== undefined ? [range] : [];
  });
}
`,
  cases: `${CODING_NOTE}
  - name: "${TODO_TEXT} a bare install keeps to the lockfile"
    proposed: { type: Bash, input: { command: cd app && npm install && npm test } }
    expect: { fires: true, type: MODIFY_ACTION, newInput: { command: cd app && npm ci && npm test } }

  - name: "${TODO_TEXT} look-alike - a package is added"
    proposed: { type: Bash, input: { command: npm install lit } }
    expect: { fires: false }

  - name: "${TODO_TEXT} look-alike - the words stand in a text"
    proposed: { type: Bash, input: { command: "echo 'run npm install first'" } }
    expect: { fires: false }
`,
};

/** Stopping after an edit without a check. */
export const CHECK_EDITS: StarterCode = {
  pf: (name) => `${imports("injectContext", "CodingContext")}

export default class ${name} extends ProgramFunction {
  ${ONCE}
  override maxFires = 1;

  /** When to step in: FINAL is the agent's wish to stop. */
  shouldActivate(ctx: CodingContext, actionType: ActionType): boolean {
    const { lastEditAt, checks } = ctx;
    return ${TODO_CODE} actionType === "FINAL" && lastEditAt !== undefined && !checks.some(({ t }) => t > lastEditAt);
  }

  /** The intervention, where it steps in. */
  intervene(ctx: CodingContext): Intervention {
    const own = ctx.project.find(({ kind }) => kind === "test")?.command ?? "the tests";
    return injectContext(
      \`${TODO_TEXT} Nothing has been checked since the latest change. Run \${own}.\`,
      "${TODO_TEXT} stops without a check",
    );
  }
}
`,
  cases: `${CODING_NOTE}
  - name: "${TODO_TEXT} it stops right after a change"
    project: [{ kind: test, command: npm test }]
    steps:
      - { type: Edit, input: { path: src/clock.ts, oldText: "a", newText: "b" }, observation: Updated. }
    proposed: { type: FINAL, arg: Done. }
    expect: { fires: true, type: INJECT_CONTEXT }

  - name: "${TODO_TEXT} look-alike - the tests have run since"
    steps:
      - { type: Edit, input: { path: src/clock.ts, oldText: "a", newText: "b" }, observation: Updated. }
      - { type: Bash, input: { command: npm test }, observation: ok, exitCode: 0 }
    proposed: { type: FINAL, arg: Done. }
    expect: { fires: false }

  - name: "${TODO_TEXT} look-alike - nothing has changed"
    proposed: { type: FINAL, arg: It is in src/clock.ts. }
    expect: { fires: false }
`,
};

/** Stopping while the latest check fails. */
export const NO_RED_STOP: StarterCode = {
  pf: (name) => `${imports("injectContext", "CodingContext")}

export default class ${name} extends ProgramFunction {
  /** It holds the agent back once; after that its vote is all that it does. */
  override maxFires = 1;

  /** What it thinks of a call; on a FINAL this is its vote, too. */
  shouldActivate(ctx: CodingContext, actionType: ActionType): boolean {
    return ${TODO_CODE} actionType === "FINAL" && failing(ctx) !== undefined;
  }

  /** The intervention, where it steps in. */
  intervene(ctx: CodingContext): Intervention {
    const command = failing(ctx) ?? "the latest check";
    return injectContext(
      \`${TODO_TEXT} \\\`\${command}\\\` failed when it ran last. Fix it, or say why it may stay so.\`,
      "${TODO_TEXT} stops on a failure",
    );
  }
}

/** The latest check, where it failed. */
function failing({ checks }: CodingContext): string | undefined {
  const last = checks[checks.length - 1];
  return last?.passed === false ? last.command : undefined;
}
`,
  cases: `${CODING_NOTE}
  - name: "${TODO_TEXT} it stops although the tests fail"
    steps:
      - { type: Bash, input: { command: npm test }, observation: 1 failed, exitCode: 1 }
    proposed: { type: FINAL, arg: Done. }
    expect: { fires: true, type: INJECT_CONTEXT }

  - name: "${TODO_TEXT} look-alike - they were mended"
    steps:
      - { type: Bash, input: { command: npm test }, observation: 1 failed, exitCode: 1 }
      - { type: Bash, input: { command: npm test }, observation: ok, exitCode: 0 }
    proposed: { type: FINAL, arg: Done. }
    expect: { fires: false }

  - name: "${TODO_TEXT} look-alike - it goes on working"
    steps:
      - { type: Bash, input: { command: npm test }, observation: 1 failed, exitCode: 1 }
    proposed: { type: Read, input: { path: src/clock.ts } }
    expect: { fires: false }
`,
};
