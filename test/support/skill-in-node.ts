import { readFileSync } from "node:fs";
import vm from "node:vm";
import tsBlankSpace from "ts-blank-space";

/**
 * Runs the PF of a skill of ours, by its folder below `skills/`, in node:vm: thousands of drafts in a second. Gives the text with which it
 * holds a FINAL back. The product never does this: it has the QuickJS sandbox.
 */
export function skillInNode(folder: string): (ctx: object) => string | undefined {
  const file = new URL(`../../skills/${folder}/pf.ts`, import.meta.url);
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
  return sandbox["run"] as (ctx: object) => string | undefined;
}
