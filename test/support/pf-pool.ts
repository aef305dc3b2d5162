import type { PfProgram } from "../../src/model/skill.ts";
import { pfFrom } from "./pf-fixtures.ts";

/** When a PF of the pool fires. */
const TRIGGERS = {
  always: "true",
  search: 'actionType === "SEARCH"',
  final: 'actionType === "FINAL"',
  early: "ctx.stepCount < 2",
  unread: "!ctx.hasRead && ctx.searchCount > 0",
  remembers: "(ctx.memory.seen ?? 0) % 2 === 1",
  empty: "ctx.emptyResults",
} as const;

/** What it does then. `ctx.memory.seen` counts the calls. */
const ACTS = {
  hint: 'return injectContext("hint " + ctx.stepCount, "a hint");',
  long: 'return injectContext("long ".repeat(1 + ctx.stepCount * 30), "a long hint");',
  same: 'return injectContext("the same hint", "a common hint");',
  shorten: 'return modifyAction({ arg: arg.split(" ").slice(0, 2).join(" "), reason: "shorter" });',
  search: 'return modifyAction({ type: "SEARCH", arg: "again " + ctx.memory.seen, reason: "search first" });',
  read: 'return modifyAction({ type: "READ", arg: "doc_" + ctx.readCount, reason: "read first" });',
  answer: 'return modifyAction({ type: "FINAL", arg: "enough", reason: "answer now" });',
  elsewhere: 'return modifyAction({ type: "FLY", arg: "away", reason: "no such action" });',
  nothing: 'return noop("seen " + ctx.memory.seen);',
  throws: 'throw new Error("broken at " + ctx.stepCount);',
  garbage: "return 42;",
  never: "return new Promise(() => {});",
  asks: `return (async () => {
    if (teacher === undefined) return noop("no teacher");
    const said = await teacher.ask("shorten " + arg);
    ctx.memory.said = said;
    return modifyAction({ arg: said, reason: "as the teacher says" });
  })();`,
  asksTwice: `return (async () => {
    const [a, b] = await Promise.all([teacher.ask("left " + arg), teacher.ask("right " + arg, { maxTokens: 9 })]);
    return injectContext(a + (await teacher.ask("join " + a + b)), "joined");
  })();`,
  asksInVain: `return (async () => {
    try { return injectContext(await teacher.ask("fail " + arg), "?"); }
    catch (error) { return noop(error.message); }
  })();`,
  asksAndLeaves:
    'if (teacher) teacher.ask("unheard"); return injectContext(teacher ? "with" : "without", "x");',
} as const;

const TEACHER = new Set(["asks", "asksTwice", "asksInVain", "asksAndLeaves"]);
const CAPS = [undefined, undefined, 1, 3];

/** Actions about which a PF is asked after they have run. */
const AFTER = [["READ"], ["SEARCH", "READ"]];
/** Phases in which a PF is asked. */
const PHASES = [[], ["search"], ["answer"], ["search", "answer"], ["think"]];

interface Traits {
  readonly asks: boolean;
  readonly cap: number | undefined;
  readonly after?: readonly string[] | undefined;
}

function codeOf(trigger: string, act: string, { asks, cap, after }: Traits): string {
  return `import { ProgramFunction, modifyAction, injectContext, noop } from "hasp";
export default class Made extends ProgramFunction {
  needsTeacher = ${asks};
  ${cap === undefined ? "" : `maxFires = ${cap};`}
  ${after === undefined ? "" : `after = ${JSON.stringify(after)};`}
  shouldActivate(ctx, actionType, arg) {
    ctx.memory.seen = (ctx.memory.seen ?? 0) + 1;
    return ${trigger};
  }
  intervene(ctx, actionType, arg, teacher) { ${act} }
}`;
}

/** A PF for every trigger and act. */
function programs(prefix: string, traitsOf: (i: number, j: number) => Pick<Traits, "after">): PfProgram[] {
  return Object.entries(TRIGGERS).flatMap(([when, trigger], i) =>
    Object.entries(ACTS).map(([what, act], j) => {
      const traits = { asks: TEACHER.has(what), cap: CAPS[(i + j) % CAPS.length], ...traitsOf(i, j) };
      const program = pfFrom(`${prefix}${when}_${what}`.toLowerCase(), codeOf(trigger, act, traits));
      return { ...program, priority: ((i * 7 + j * 3) % 10) / 10 };
    }),
  );
}

/** PFs for tests that draw libraries from programs which are loaded once; every fourth looks after an action or has phases. */
export const PF_POOL: readonly PfProgram[] = [
  ...programs("", () => ({})),
  ...programs("after_", (i, j) => ({ after: AFTER[(i + j) % AFTER.length] }))
    .filter((_, k) => k % 3 === 0)
    .map((program, k) => ({ ...program, phases: PHASES[k % PHASES.length] ?? [] })),
];
