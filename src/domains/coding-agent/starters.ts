import { CODING_FINAL } from "../../model/coding-tools.ts";
import { importing, ONCE, WHEN, type StarterCode } from "../../skill/scaffold-pf.ts";
import { handlerSection, phaseSection, plainStarters, type Starters } from "../../skill/scaffold-starters.ts";
import { TODO_CODE, TODO_TEXT } from "../../skill/template-text.ts";

const PLAIN = plainStarters(CODING_FINAL);

const CODING_NOTE = `# Tiny sessions with the decision that pf.ts must come to.
cases:`;

/** `npm install` becomes `npm ci`. */
const LOCKED_INSTALL: StarterCode = {
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
const CHECK_EDITS: StarterCode = {
  pf: (name) => `${importing("injectContext", "CodingContext")}

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
const NO_RED_STOP: StarterCode = {
  pf: (name) => `${importing("injectContext", "CodingContext", "SearchVote")}

export default class ${name} extends ProgramFunction {
  /** It holds the agent back once; after that its vote is all that it does. */
  override maxFires = 1;

  ${WHEN}
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

  /** The vote of its handler on a FINAL that would stand: undefined lets the agent stop. */
  override vote(ctx: CodingContext): SearchVote | undefined {
    return failing(ctx) === undefined ? undefined : { reason: "${TODO_TEXT} the latest check still fails" };
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

  - name: "${TODO_TEXT} look-alike - they were fixed"
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

/** The starters of guards. */
export const codingStarters: Starters = {
  rewrite: {
    phase: "think",
    trigger: "A command line runs `npm install` without naming a package.",
    does: "It runs `npm ci` in its place; the rest of the command line stays as it was.",
    code: LOCKED_INSTALL,
  },
  inject: {
    phase: "answer",
    trigger: "The agent wants to stop, and no check has run since it changed a file.",
    does: "It names the command to run, once.",
    code: CHECK_EDITS,
  },
  "final-code": {
    phase: "answer",
    trigger: "The agent wants to stop, and the latest check failed.",
    does: "It holds the agent back once. If it wants to stop again, its vote is against it.",
    handler: "code",
    code: NO_RED_STOP,
  },
  "final-llm": {
    ...PLAIN["final-llm"],
    sections: handlerSection(
      "Is everything that the person asked for done, and nothing that they did not ask for?",
      "Vote for going on when something is missing, and let the query name it. Let it stop when all is done.",
    ),
  },
  prompt: {
    ...PLAIN.prompt,
    trigger: "The agent is about to stop.",
    sections: phaseSection(
      "pre_final",
      "Take what was meant for debugging only out of your changes before you stop.",
    ),
  },
};
