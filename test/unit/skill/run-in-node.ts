import vm from "node:vm";
import type { ProbedRun, Probe } from "../../../src/model/explanation.ts";
import type { StepContext } from "../../../src/model/step-context.ts";
import { valueText } from "../../../src/sandbox/guest/value-text.ts";
import { initialContext } from "../../../src/trace/context-at.ts";
import { webSearchRules } from "../../../src/domains/web-search/context-rules.ts";

/** A context of the middle of an episode. */
export const MIDDLE: StepContext = {
  ...initialContext(
    "Who wrote the novel?",
    {
      domain: "web-search",
      actionTypes: ["SEARCH", "READ", "FINAL"],
      searchReturnsText: false,
      maxSteps: 15,
    },
    webSearchRules,
  ),
  stepCount: 2,
  searchCount: 2,
};

/** Runs `shouldActivate` of our own test PFs in node:vm. The product never does this: it has the QuickJS sandbox. */
export function judge(
  code: string,
  context: object,
  type: string,
  arg: string,
): ProbedRun & { order: string } {
  const probes: Probe[] = [];
  /** A PF of a test may note here what it evaluates. */
  const notes: unknown[] = [];
  const order = (): string => JSON.stringify(notes);
  const script = code.replaceAll(/^import [^;]*;/gm, "").replace("export default class", "PF = class");
  const noop = () => ({ type: "NOOP", reason: "" });
  const sandbox: Record<string, unknown> = {
    PF: undefined,
    NOTES: notes,
    ProgramFunction: Object,
    modifyAction: noop,
    injectContext: noop,
    noop,
    __hasp_probe: (id: number, value: unknown) => {
      probes.push({ id, value: valueText(value) });
      return value;
    },
    input: { ctx: { ...context, memory: {} }, type, arg },
  };
  try {
    const activated: unknown = vm.runInNewContext(
      `${script}\n;new PF().shouldActivate(input.ctx, input.type, input.arg)`,
      sandbox,
    );
    if (typeof activated !== "boolean")
      return { activated: undefined, probes, error: `returned ${String(activated)}`, order: order() };
    return { activated, probes, order: order() };
  } catch (error) {
    return {
      activated: undefined,
      probes,
      error: error instanceof Error ? error.message : String(error),
      order: order(),
    };
  }
}
