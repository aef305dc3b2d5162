import ts from "typescript";
import { executableIn, isExecutable, type DomainScope } from "../../model/domain-spec.ts";
import { bare, methodOf, type PfModule } from "../pf-module.ts";
import type { Report } from "../report.ts";
import { returnedBy } from "../returned.ts";
import { didYouMean } from "../suggest.ts";
import { triggerTypes } from "../trigger-types.ts";
import { cut, fix, replace } from "./fixes.ts";
import { isModification } from "./limits.ts";

/** The list that `after` is set to, where it is a literal. */
function afterList(module: PfModule): ts.ArrayLiteralExpression | undefined {
  for (const owner of module.lineage)
    for (const member of owner.members) {
      if (!ts.isPropertyDeclaration(member) || member.name.getText(module.ast) !== "after") continue;
      const value = member.initializer === undefined ? undefined : bare(member.initializer);
      return value !== undefined && ts.isArrayLiteralExpression(value) ? value : undefined;
    }
  return undefined;
}

function isFinal(type: string, { own, all }: DomainScope): boolean {
  return own === undefined ? all.every(({ finalAction }) => finalAction === type) : own.finalAction === type;
}

/** A list without one of its entries. */
function withoutEntry(list: ts.ArrayLiteralExpression, entry: ts.Expression, module: PfModule) {
  const kept = list.elements.filter((one) => one !== entry).map((one) => one.getText(module.ast));
  return fix(`Take ${entry.getText(module.ast)} out of \`after\``, [
    replace(module, list, `[${kept.join(", ")}]`),
  ]);
}

/** An entry of `after` that no PF is ever asked about: the final action, or a word that is no action (HASP221). */
export function afterTypes(module: PfModule, report: Report, scope: DomainScope): void {
  const list = afterList(module);
  for (const element of list?.elements ?? []) {
    const entry = bare(element);
    if (list === undefined || !ts.isStringLiteralLike(entry)) continue;
    const { text } = entry;
    if (isFinal(text, scope))
      report.error(
        "HASP221",
        module.rangeOf(entry),
        `"${text}" ends the episode: nothing comes after it that the PF could look at.`,
        "Take it out of `after`; the PF is then asked before the answer is given.",
        [withoutEntry(list, element, module)],
      );
    else if (!isExecutable(text, scope))
      report.error(
        "HASP221",
        module.rangeOf(entry),
        `"${text}" is no action that can run${scope.own === undefined ? "" : ` in ${scope.own.name}`}.`,
        didYouMean(text, executableIn(scope)),
        [withoutEntry(list, element, module)],
      );
  }
}

/** A PF that acts only on actions that have run, and changes the action (HASP222). */
export function changeAfter(module: PfModule, report: Report): void {
  const list = afterList(module);
  const after = new Set(list?.elements.flatMap((one) => (ts.isStringLiteralLike(one) ? [one.text] : [])));
  const types = triggerTypes(module);
  const intervene = methodOf(module, "intervene");
  if (intervene === undefined || types?.only !== true || types.names.length === 0) return;
  if (!types.names.every((type) => after.has(type))) return;
  const change = (returnedBy(intervene) ?? []).find((value) => isModification(bare(value), module));
  if (change === undefined) return;
  report.error(
    "HASP222",
    module.rangeOf(change),
    `The ${types.names.join(" or ")} has run when this PF is asked (\`after\`): it cannot be changed any more.`,
    "Return injectContext(…) or noop(…), or take `after` away to be asked before the action runs.",
    list === undefined ? [] : [fix("Delete `after`", [cut(module, list.parent)], "by hand")],
  );
}
