import ts from "typescript";
import type { Fix } from "../../model/diagnostic.ts";
import { bare, isAssignment, isReference, memberName, rootOf, walk, type PfModule } from "../pf-module.ts";
import type { Report } from "../report.ts";
import { cutStatement, fix } from "./fixes.ts";

interface Refusal {
  readonly code: string;
  readonly names: readonly string[];
  readonly why: string;
  readonly next: string;
}

/** Globals of other runtimes that a PF does not have. The sandbox lacks them too; here the author hears why. */
const REFUSALS: readonly Refusal[] = [
  {
    code: "HASP202",
    names: ["Date", "performance", "Temporal"],
    why: "reads the clock, and a PF must give the same answer to the same input",
    next: "Decide from the step context; `ctx.stepCount` says how far the episode is.",
  },
  {
    code: "HASP203",
    names: ["crypto"],
    why: "brings randomness, and a PF must give the same answer to the same input",
    next: "Decide from the step context alone.",
  },
  {
    code: "HASP204",
    names: (
      "fetch XMLHttpRequest WebSocket EventSource Request Response navigator location process module exports " +
      "__dirname __filename Deno Bun Buffer Worker WebAssembly setTimeout setInterval setImmediate queueMicrotask " +
      "requestAnimationFrame console window document localStorage sessionStorage indexedDB alert Intl"
    ).split(" "),
    why: "reaches outside the sandbox, where a PF has no network, files, timers or console",
    next: "Use what the step context holds; say what you want people to see in the intervention's `reason`.",
  },
  {
    code: "HASP205",
    names: ["globalThis", "global", "eval", "Function"],
    why: "leads to the global object or makes code from text",
    next: "Write the code out as a function of this file.",
  },
  {
    code: "HASP206",
    names: ["WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics"],
    why: "depends on the garbage collector or on other threads",
    next: "Use a Map or a Set inside the function, or `ctx.memory` between steps.",
  },
];

const REFUSED: ReadonlyMap<string, Refusal> = new Map(
  REFUSALS.flatMap((r) => r.names.map((name) => [name, r] as const)),
);

/** Names that would lead out of a pure function: clock, randomness, host, code from text (HASP202–206). */
export function forbiddenNames(module: PfModule, report: Report): void {
  walk(module.ast, (node) => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return false;
    if (ts.isIdentifier(node)) checkName(node, module, report);
    checkRandom(node, module, report);
    checkConstructor(node, module, report);
    return undefined;
  });
}

function checkName(node: ts.Identifier, module: PfModule, report: Report): void {
  const refusal = REFUSED.get(node.text);
  if (refusal === undefined || module.declared.has(node.text) || !isReference(node)) return;
  const fixes = node.text === "console" ? withoutStatement(node, module) : [];
  report.error(refusal.code, module.rangeOf(node), `\`${node.text}\` ${refusal.why}.`, refusal.next, fixes);
}

/** What a PF prints, nobody reads: the line can go. */
function withoutStatement(node: ts.Node, module: PfModule): readonly Fix[] {
  const statement = ts.findAncestor(node, ts.isStatement);
  const isCall = statement !== undefined && ts.isExpressionStatement(statement);
  return isCall && ts.isBlock(statement.parent)
    ? [fix("Delete the statement", [cutStatement(module, statement)])]
    : [];
}

/** `Math.random`, `Math["random"]`, `const { random } = Math`. */
function checkRandom(node: ts.Node, module: PfModule, report: Report): void {
  const isMath = (value: ts.Expression | undefined): boolean =>
    value !== undefined &&
    ts.isIdentifier(bare(value)) &&
    (bare(value) as ts.Identifier).text === "Math" &&
    !module.declared.has("Math");
  const isAccess = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  const taken =
    isAccess && memberName(node) === "random" && isMath(node.expression)
      ? node
      : ts.isVariableDeclaration(node) && isMath(node.initializer) && ts.isObjectBindingPattern(node.name)
        ? node.name.elements.find((e) => (e.propertyName ?? e.name).getText(module.ast) === "random")
        : undefined;
  if (taken === undefined) return;
  report.error(
    "HASP203",
    module.rangeOf(taken),
    "`Math.random` is not there: a PF must give the same answer to the same input.",
    "Decide from the step context alone.",
  );
}

/** `x.constructor.constructor` and `x.constructor("code")` reach the Function constructor. */
function checkConstructor(node: ts.Node, module: PfModule, report: Report): void {
  const isConstructor = (value: ts.Expression): boolean => memberName(bare(value)) === "constructor";
  const inner =
    ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
      ? isConstructor(node) && isConstructor(node.expression)
      : (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
        isConstructor(node.expression) &&
        !isChained(node.expression);
  if (!inner) return;
  report.error(
    "HASP205",
    module.rangeOf(node),
    "`.constructor` leads to the Function constructor, which makes code from text.",
    "Write the code out as a function of this file.",
  );
}

/** A call of `x.constructor.constructor` is already reported on its inside. */
function isChained(node: ts.Expression): boolean {
  const access = bare(node);
  return (
    (ts.isPropertyAccessExpression(access) || ts.isElementAccessExpression(access)) &&
    memberName(bare(access.expression)) === "constructor"
  );
}

const BUILT_IN: ReadonlySet<string> = new Set(
  "Object Array String Number Boolean Symbol BigInt Math JSON RegExp Map Set WeakMap Promise Error TypeError RangeError".split(
    " ",
  ),
);
const PATCHERS: ReadonlySet<string> = new Set([
  "defineProperty",
  "defineProperties",
  "assign",
  "setPrototypeOf",
]);

/** Changing what all PFs share: `Array.prototype.x = …`, `Object.defineProperty(String.prototype, …)` (HASP212). */
export function patchedBuiltIns(module: PfModule, report: Report): void {
  walk(module.ast, (node) => {
    const target = patchedBy(node, module);
    if (target === undefined) return;
    report.error(
      "HASP212",
      module.rangeOf(target),
      "This changes a built-in object, which the sandbox has frozen because all PFs share it.",
      "Write a helper function and call it.",
    );
  });
}

function patchedBy(node: ts.Node, module: PfModule): ts.Expression | undefined {
  if (isAssignment(node)) {
    const { left } = node;
    const isMember = ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left);
    if (isMember && (isBuiltIn(left.expression, module) || memberName(left) === "__proto__")) return left;
    return undefined;
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const owner = node.expression.expression;
  const isPatcher =
    ts.isIdentifier(owner) &&
    ["Object", "Reflect"].includes(owner.text) &&
    PATCHERS.has(node.expression.name.text);
  const target = node.arguments[0];
  return isPatcher && target !== undefined && isBuiltIn(target, module) ? target : undefined;
}

/** A built-in object, or its prototype. */
function isBuiltIn(node: ts.Expression, module: PfModule): boolean {
  const root = rootOf(node);
  if (!ts.isIdentifier(root) || !BUILT_IN.has(root.text) || module.declared.has(root.text)) return false;
  return bare(node) === root || memberName(bare(node)) === "prototype";
}
