import ts from "typescript";
import type { DomainScope } from "../../model/domain-spec.ts";
import { bare, methodOf, walk, type PfFunction, type PfModule } from "../pf-module.ts";
import type { Report } from "../report.ts";
import { returnedBy } from "../returned.ts";
import { fix, withField } from "./fixes.ts";

const MODIFYING: ReadonlySet<string> = new Set(["modifyAction", "changeInput", "changeCommand"]);

/** What an episode changes as it goes on: a trigger that looks at one of these ends by itself. */
const PROGRESS: ReadonlySet<string> = new Set(
  "stepCount maxSteps hasRead searchCount readCount actionHistory allReadContents memory".split(" "),
);

const LIMIT = 3;

function mentions(node: ts.Node, isOne: (node: ts.Node) => boolean): boolean {
  let found = false;
  walk(node, (part) => {
    found ||= isOne(part);
    return !found;
  });
  return found;
}

/** A call that changes the action. */
export function isModification(node: ts.Node, module: PfModule): boolean {
  if (!ts.isCallExpression(node)) return false;
  const callee = bare(node.expression);
  if (!ts.isIdentifier(callee)) return false;
  const imported = module.topLevel.get(callee.text);
  return (
    imported !== undefined &&
    ts.isImportSpecifier(imported) &&
    MODIFYING.has((imported.propertyName ?? imported.name).text)
  );
}

const readsProgress = (node: ts.Node): boolean => ts.isIdentifier(node) && PROGRESS.has(node.text);

/** A trigger on actions that could not be read ends with the first that can: the change itself makes one. */
const isRepair = (node: ts.Node): boolean => ts.isStringLiteralLike(node) && node.text === "invalid";

function limitOf(module: PfModule): boolean {
  return module.lineage.some((owner) =>
    owner.members.some((member) => member.name?.getText(module.ast) === "maxFires"),
  );
}

/**
 * A PF that may change an action, has no `maxFires`, and whose code never looks at how far the episode is (HASP216): it may take
 * every step. Guards are exempt: one that fell silent after three times would let the fourth `git push --force` by.
 */
export function endlessModify(module: PfModule, report: Report, { own }: DomainScope): void {
  const { pfClass } = module;
  if (pfClass === undefined || own?.hasGuards === true || limitOf(module)) return;
  if (
    !mentions(module.ast, (node) => isModification(node, module)) ||
    mentions(module.ast, (node) => readsProgress(node) || isRepair(node))
  )
    return;
  const limit = withField(module, "maxFires", `${LIMIT}`);
  report.hint(
    "HASP216",
    module.rangeOf(pfClass.name ?? pfClass.getFirstToken(module.ast) ?? pfClass),
    "This PF may change the action of every step: it has no `maxFires`, and nothing in it looks at how far the episode is.",
    `Write \`override maxFires = ${LIMIT};\`, or decide from \`ctx.stepCount\`, \`ctx.searchCount\` or \`ctx.memory\`.`,
    limit === undefined ? [] : [{ ...limit, byHand: true }],
  );
}

/** What `shouldActivate` always answers, where that can be read from its returns. */
function constantAnswer(method: PfFunction): boolean | undefined {
  // What stands beside the return may be there for a reason, such as a note in `ctx.memory`.
  if (method.body !== undefined && ts.isBlock(method.body) && method.body.statements.length > 1)
    return undefined;
  const returned = returnedBy(method) ?? [];
  const kinds = new Set(returned.map((value) => bare(value).kind));
  const [kind] = kinds;
  if (kinds.size !== 1) return undefined;
  if (kind === ts.SyntaxKind.TrueKeyword) return true;
  return kind === ts.SyntaxKind.FalseKeyword ? false : undefined;
}

/** A trigger that is always true (HASP218, by design at times) or never (HASP219). */
export function constantTrigger(module: PfModule, report: Report): void {
  const method = methodOf(module, "shouldActivate");
  const answer = method === undefined ? undefined : constantAnswer(method);
  if (method === undefined || answer === undefined) return;
  const range = module.rangeOf(ts.isMethodDeclaration(method) ? method.name : method);
  if (answer)
    report.hint(
      "HASP218",
      range,
      "The PF is always on: `shouldActivate` returns true whatever is proposed.",
      "Leave it where that is meant; else say in which context the PF is of use.",
    );
  else
    report.warning(
      "HASP219",
      range,
      "The PF never acts: `shouldActivate` returns false whatever is proposed.",
      "Say in which context the PF is of use.",
      answerTrue(method, module),
    );
}

function answerTrue(method: PfFunction, module: PfModule): ReturnType<typeof fix>[] {
  const edits = (returnedBy(method) ?? []).map((value) => ({
    range: module.rangeOf(bare(value)),
    newText: "true",
  }));
  return [fix("Return true", edits, "by hand")];
}
