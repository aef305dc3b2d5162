import ts from "typescript";
import { isConstantText, type TextScope } from "./constant-text.ts";
import { nameScopes, type NameScopes } from "./name-scopes.ts";
import { bare, memberName, methodOf, parsePf, walk, writtenBy, type PfModule } from "./pf-module.ts";
import { UNKNOWN_EFFECTS, type PfPart, type PromptEquivalence } from "./prompt-effects.ts";
import { promptInstruction } from "./prompt-instruction.ts";
import { isReadable, unlessTooDeep } from "./readable.ts";
import { reportOn } from "./report.ts";
import { returnedBy, type Body } from "./returned.ts";
import { sourceText } from "./source-text.ts";
import { transpile } from "./transpile.ts";
import { triggerTypes } from "./trigger-types.ts";

type Effect = Pick<PromptEquivalence, "canModify" | "buildsText">;

const NOTHING: Effect = { canModify: false, buildsText: false };
const MODIFIES: Effect = { canModify: true, buildsText: false };
const BUILDS: Effect = { canModify: false, buildsText: true };
/** What cannot be followed may do anything. */
const ANYTHING: Effect = { canModify: true, buildsText: true };

/** What "hasp" offers to change an action with. */
const MODIFYING: ReadonlySet<string> = new Set(["modifyAction", "changeInput", "changeCommand", "refuse"]);

/** Functions that change an object or a class behind the syntax. */
const REWIRING: ReadonlySet<string> = new Set([
  "assign",
  "defineProperty",
  "defineProperties",
  "setPrototypeOf",
  "Reflect",
  "Proxy",
  "prototype",
  "__proto__",
  "eval",
]);

/**
 * Follows every value that `intervene` can return to the call or the literal that makes it. It errs to one side: a source that
 * does not parse or cannot be followed counts as modifying and as building text. The PF is not run.
 */
export function promptEquivalence(file: string, source: string): PromptEquivalence {
  const report = reportOn(file);
  const text = sourceText(source);
  const isCode = isReadable(text, report) && transpile(source, file).value !== undefined;
  const look = (): PromptEquivalence => {
    const module = parsePf(source);
    const { canModify, buildsText } = effectOfPf(module);
    const promptEquivalent = !canModify && !buildsText;
    const instruction = promptEquivalent ? promptInstruction(module) : undefined;
    const said = instruction !== undefined && { instruction };
    return { canModify, buildsText, promptEquivalent, ...said, part: partOf(module) };
  };
  const found = isCode ? unlessTooDeep(text, report, look) : undefined;
  return found ?? UNKNOWN_EFFECTS;
}

function partOf(module: PfModule): PfPart {
  const types = triggerTypes(module);
  let remembers = false;
  walk(module.ast, (node) => {
    remembers ||= ts.isIdentifier(node) && node.text === "memory";
  });
  const votes = methodOf(module, "vote") !== undefined;
  return { votes, remembers, ...(types !== undefined && { types }) };
}

function effectOfPf(module: PfModule): Effect {
  if (isRewired(module)) return ANYTHING;
  const names = nameScopes(module.ast);
  const intervene = soleMethod("intervene", module, names);
  if (intervene === undefined) return ANYTHING;
  const calledBy = (call: ts.CallExpression): Body | undefined => functionOf(call.expression, module, names);
  return effectOfBody(intervene, { module, names, calledBy }, new Set());
}

/** The method that a call of `name` on the PF runs; undefined where two could, or where the file writes to it. */
function soleMethod(name: string, module: PfModule, names: NameScopes): Body | undefined {
  const members = module.lineage
    .flatMap((owner) => [...owner.members])
    .filter((member) => member.name?.getText() === name && !isSignature(member));
  return members.length === 1 && !names.isWritten(name) ? methodOf(module, name) : undefined;
}

function isSignature(member: ts.ClassElement): boolean {
  return ts.isMethodDeclaration(member) && member.body === undefined;
}

/** The class may have other members than it shows. */
function isRewired(module: PfModule): boolean {
  let found = module.pfClass === undefined;
  walk(module.ast, (node) => {
    found ||= isRewiring(node) || hasHiddenName(node) || isHiddenWrite(node) || givesAway(node);
  });
  return found;
}

/** One of REWIRING in code; in a string only where it picks a member. */
function isRewiring(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return REWIRING.has(node.text);
  return ts.isStringLiteralLike(node) && REWIRING.has(node.text) && ts.isElementAccessExpression(node.parent);
}

/** A member whose name is computed or quoted may be any member. */
function hasHiddenName(node: ts.Node): boolean {
  if (!ts.isClassElement(node) || node.name === undefined) return false;
  return ts.isComputedPropertyName(node.name) || ts.isStringLiteral(node.name);
}

/** The PF handed to other code, or a constructor that returns another object in its place. */
function givesAway(node: ts.Node): boolean {
  if (ts.isReturnStatement(node) && node.expression !== undefined) {
    const owner = ts.findAncestor(node, ts.isFunctionLike);
    return owner !== undefined && ts.isConstructorDeclaration(owner);
  }
  if (node.kind !== ts.SyntaxKind.ThisKeyword) return false;
  return !ts.isPropertyAccessExpression(node.parent) && !ts.isElementAccessExpression(node.parent);
}

/** `this[name] = …` may write to any member. */
function isHiddenWrite(node: ts.Node): boolean {
  const target = writtenBy(node);
  const place = target === undefined ? undefined : bare(target);
  if (place === undefined || !ts.isElementAccessExpression(place)) return false;
  return bare(place.expression).kind === ts.SyntaxKind.ThisKeyword && memberName(place) === undefined;
}

function both(a: Effect, b: Effect): Effect {
  return { canModify: a.canModify || b.canModify, buildsText: a.buildsText || b.buildsText };
}

function effectOfBody(body: Body, scope: TextScope, seen: ReadonlySet<ts.Node>): Effect {
  // A call of itself adds nothing to what its other returns can be.
  if (seen.has(body)) return NOTHING;
  const returned = returnedBy(body);
  if (returned === undefined) return ANYTHING;
  const deeper = new Set([...seen, body]);
  return returned.map((value) => effectOf(value, scope, deeper)).reduce(both, NOTHING);
}

/** What returning this value does. */
function effectOf(node: ts.Expression, scope: TextScope, seen: ReadonlySet<ts.Node>): Effect {
  const value = bare(node);
  if (ts.isAwaitExpression(value)) return effectOf(value.expression, scope, seen);
  if (ts.isConditionalExpression(value))
    return both(effectOf(value.whenTrue, scope, seen), effectOf(value.whenFalse, scope, seen));
  if (isEither(value)) return both(effectOf(value.left, scope, seen), effectOf(value.right, scope, seen));
  if (ts.isObjectLiteralExpression(value)) return effectOfLiteral(value, scope);
  if (ts.isCallExpression(value)) return effectOfCall(value, scope, seen);
  return ts.isIdentifier(value) ? effectOfConstant(value, scope, seen) : ANYTHING;
}

function isEither(node: ts.Expression): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
}

function effectOfCall(call: ts.CallExpression, scope: TextScope, seen: ReadonlySet<ts.Node>): Effect {
  const [first] = call.arguments;
  const made = haspName(call.expression, scope.names);
  if (made === "noop") return NOTHING;
  if (made !== undefined && MODIFYING.has(made)) return MODIFIES;
  if (made === "injectContext") return first !== undefined && isConstantText(first, scope) ? NOTHING : BUILDS;
  if (isPromiseResolve(call, scope.names) && first !== undefined) return effectOf(first, scope, seen);
  const body = scope.calledBy(call);
  return body === undefined ? ANYTHING : effectOfBody(body, scope, seen);
}

function isPromiseResolve(call: ts.CallExpression, names: NameScopes): boolean {
  const callee = bare(call.expression);
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== "resolve") return false;
  const owner = bare(callee.expression);
  return ts.isIdentifier(owner) && owner.text === "Promise" && names.declarationOf(owner) === undefined;
}

/** The export of "hasp" that an expression names, under whatever name the file has it. */
function haspName(node: ts.Expression, names: NameScopes, depth = 0): string | undefined {
  const callee = bare(node);
  if (ts.isIdentifier(callee)) {
    const declaration = names.declarationOf(callee);
    if (declaration !== undefined && ts.isImportSpecifier(declaration))
      return isFromHasp(declaration) ? (declaration.propertyName ?? declaration.name).text : undefined;
    const value = names.constantOf(callee);
    return value === undefined || depth > 4 ? undefined : haspName(value, names, depth + 1);
  }
  if (!ts.isPropertyAccessExpression(callee) && !ts.isElementAccessExpression(callee)) return undefined;
  const owner = bare(callee.expression);
  const declaration = ts.isIdentifier(owner) ? names.declarationOf(owner) : undefined;
  const isHasp = declaration !== undefined && ts.isNamespaceImport(declaration) && isFromHasp(declaration);
  return isHasp ? memberName(callee) : undefined;
}

function isFromHasp(node: ts.Node): boolean {
  const statement = ts.findAncestor(node, ts.isImportDeclaration);
  return (
    statement !== undefined &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    statement.moduleSpecifier.text === "hasp"
  );
}

/** The function of the file that a callee names: a declaration, a constant, or a method of the PF. */
function functionOf(node: ts.Expression, module: PfModule, names: NameScopes): Body | undefined {
  const callee = bare(node);
  if (ts.isIdentifier(callee)) {
    const declaration = names.declarationOf(callee);
    if (declaration !== undefined && ts.isFunctionDeclaration(declaration))
      return names.isWritten(callee.text) ? undefined : declaration;
    const value = names.constantOf(callee);
    const made = value === undefined ? undefined : bare(value);
    return made !== undefined && (ts.isArrowFunction(made) || ts.isFunctionExpression(made))
      ? made
      : undefined;
  }
  const name = memberName(callee);
  if (name === undefined || !ts.isPropertyAccessExpression(callee)) return undefined;
  return callee.expression.kind === ts.SyntaxKind.ThisKeyword ? soleMethod(name, module, names) : undefined;
}

/** `{ type: "NOOP", reason: "…" }`: plain properties only, each known by name. */
function effectOfLiteral(node: ts.ObjectLiteralExpression, scope: TextScope): Effect {
  const values = new Map<string, ts.Expression>();
  for (const property of node.properties) {
    const name = property.name;
    const isPlain = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name));
    if (!isPlain || values.has(name.text)) return ANYTHING;
    if (ts.isPropertyAssignment(property)) values.set(name.text, property.initializer);
    else if (ts.isShorthandPropertyAssignment(property)) values.set(name.text, property.name);
    else return ANYTHING;
  }
  const type = values.get("type");
  const kind = type === undefined ? undefined : literalOf(type, scope.names);
  if (kind === "NOOP") return NOTHING;
  if (kind === "MODIFY_ACTION") return MODIFIES;
  if (kind !== "INJECT_CONTEXT") return ANYTHING;
  const text = values.get("contextText");
  return text !== undefined && isConstantText(text, scope) ? NOTHING : BUILDS;
}

/** A string that stands there, or that a constant holds. */
function literalOf(node: ts.Expression, names: NameScopes): string | undefined {
  const value = bare(node);
  if (ts.isStringLiteralLike(value)) return value.text;
  const held = ts.isIdentifier(value) ? names.constantOf(value) : undefined;
  const inner = held === undefined ? undefined : bare(held);
  return inner !== undefined && ts.isStringLiteralLike(inner) ? inner.text : undefined;
}

/** `const hint = injectContext(…); return hint;`, as long as nothing but returning, choosing and reading happens to it. */
function effectOfConstant(name: ts.Identifier, scope: TextScope, seen: ReadonlySet<ts.Node>): Effect {
  const value = scope.names.constantOf(name);
  if (value === undefined || seen.has(value) || !isLeftAlone(name.text, scope.module)) return ANYTHING;
  return effectOf(value, scope, new Set([...seen, value]));
}

function isLeftAlone(name: string, module: PfModule): boolean {
  let alone = true;
  walk(module.ast, (node) => {
    if (ts.isIdentifier(node) && node.text === name) alone &&= isHarmlessUse(node);
  });
  return alone;
}

function isHarmlessUse(node: ts.Identifier): boolean {
  let outer: ts.Node = node;
  while (ts.isConditionalExpression(outer.parent) || ts.isParenthesizedExpression(outer.parent))
    outer = outer.parent;
  const { parent } = outer;
  if (ts.isReturnStatement(parent) || ts.isIfStatement(parent) || ts.isAwaitExpression(parent)) return true;
  if (ts.isVariableDeclaration(parent)) return parent.name === outer;
  return (
    ts.isBinaryExpression(parent) &&
    (parent.operatorToken.kind < ts.SyntaxKind.FirstAssignment ||
      parent.operatorToken.kind > ts.SyntaxKind.LastAssignment)
  );
}
