import { readFileSync } from "node:fs";
import vm from "node:vm";
import tsBlankSpace from "ts-blank-space";
import type { MathContext } from "../../../../src/domains/math/context-rules.ts";

/** Whether a shipped skill of math holds a FINAL back, and with which text. */
export type SkillInNode = (ctx: Pick<MathContext, "question" | "draft">) => string | undefined;

/** Runs the PF of a skill of ours in node:vm: thousands of drafts in a second. The product never does this: it has the QuickJS sandbox. */
export function skillInNode(name: string): SkillInNode {
  const file = new URL(`../../../../skills/math/${name}/pf.ts`, import.meta.url);
  const code = tsBlankSpace(readFileSync(file, "utf8"))
    .replace(/^import [^;]*;/m, "")
    .replace("export default class", "PF = class");
  const injectContext = (contextText: string): string => contextText;
  const noop = (): undefined => undefined;
  const sandbox: Record<string, unknown> = { PF: undefined, ProgramFunction: Object, injectContext, noop };
  vm.runInNewContext(
    `${code}\n;run = (ctx) => { const pf = new PF(); return pf.shouldActivate(ctx, "FINAL", "") ? pf.intervene(ctx) : undefined; }`,
    sandbox,
  );
  return sandbox["run"] as SkillInNode;
}
