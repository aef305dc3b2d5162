import ts from "typescript";
import type { Range } from "../model/diagnostic.ts";
import { sourceText, type SourceText } from "./source-text.ts";

/** A parsed `pf.ts` and what every rule wants to know about it. */
export interface PfModule {
  readonly ast: ts.SourceFile;
  readonly text: SourceText;
  /** Every name that some declaration, import, parameter or binding of the file introduces. */
  readonly declared: ReadonlySet<string>;
  /** Names declared at the top of the module, with their declaration. */
  readonly topLevel: ReadonlyMap<string, ts.Node>;
  /** Names declared inside functions or classes: one that is also at the top may be either. */
  readonly inner: ReadonlySet<string>;
  /** The default export, when it is a class. */
  readonly pfClass: ts.ClassLikeDeclaration | undefined;
  /** `pfClass` and its bases in the same file, nearest first. */
  readonly lineage: readonly ts.ClassLikeDeclaration[];
  rangeOf(node: ts.Node): Range;
}

export function parsePf(source: string): PfModule {
  return pfModuleOf(ts.createSourceFile("pf.ts", source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS));
}

/** Of a tree that is there already, with its parents. */
export function pfModuleOf(ast: ts.SourceFile): PfModule {
  const text = sourceText(ast.text);
  const names = collectNames(ast);
  const pfClass = defaultClass(ast, names.topLevel);
  return {
    ast,
    text,
    ...names,
    pfClass,
    lineage: lineageOf(pfClass, names.topLevel),
    rangeOf: (node) => text.range(node.getStart(ast), node.getEnd()),
  };
}

/** Visits `node` and everything in it, parents first. `false` from `visit` leaves out what is inside. */
export function walk(node: ts.Node, visit: (node: ts.Node) => boolean | void): void {
  if (visit(node) === false) return;
  ts.forEachChild(node, (child) => walk(child, visit));
}

type Declaring = ts.Declaration & { readonly name?: ts.Node };

/** Introduces a name, where it has one: of a value, or of a namespace. */
export function isDeclaring(node: ts.Node): node is Declaring {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isClassLike(node) ||
    ts.isImportClause(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node)
  );
}

function collectNames(ast: ts.SourceFile): Pick<PfModule, "declared" | "topLevel" | "inner"> {
  const declared = new Set<string>();
  const inner = new Set<string>();
  const topLevel = new Map<string, ts.Node>();
  walk(ast, (node) => {
    if (!isDeclaring(node) || node.name === undefined || !ts.isIdentifier(node.name)) return;
    const name = node.name.text;
    declared.add(name);
    if (isTopLevel(node)) topLevel.set(name, node);
    else inner.add(name);
  });
  return { declared, topLevel, inner };
}

/** True outside every function, class and block. */
function isTopLevel(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isSourceFile(at)) return true;
    if (ts.isFunctionLike(at) || ts.isClassLike(at) || ts.isBlock(at)) return false;
  }
  return true;
}

function isDefaultExport(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some((m) => m.kind === ts.SyntaxKind.DefaultKeyword)
  );
}

function defaultClass(
  ast: ts.SourceFile,
  topLevel: ReadonlyMap<string, ts.Node>,
): ts.ClassLikeDeclaration | undefined {
  const named = (name: string): ts.ClassLikeDeclaration | undefined => classNamed(name, topLevel);
  for (const statement of ast.statements) {
    if (ts.isClassDeclaration(statement) && isDefaultExport(statement)) return statement;
    if (ts.isExportAssignment(statement) && !statement.isExportEquals) {
      const value = statement.expression;
      return ts.isClassExpression(value) ? value : ts.isIdentifier(value) ? named(value.text) : undefined;
    }
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      const as = statement.exportClause.elements.find((e) => e.name.text === "default");
      if (as !== undefined) return named((as.propertyName ?? as.name).text);
    }
  }
  return undefined;
}

function classNamed(
  name: string,
  topLevel: ReadonlyMap<string, ts.Node>,
): ts.ClassLikeDeclaration | undefined {
  const found = topLevel.get(name);
  if (found === undefined) return undefined;
  if (ts.isClassLike(found)) return found;
  const value = ts.isVariableDeclaration(found) ? found.initializer : undefined;
  return value !== undefined && ts.isClassExpression(value) ? value : undefined;
}

/** The name a class extends, when it is a plain name. */
export function baseName(node: ts.ClassLikeDeclaration): string | undefined {
  const clause = node.heritageClauses?.find((c) => c.token === ts.SyntaxKind.ExtendsKeyword);
  const base = clause?.types[0]?.expression;
  return base !== undefined && ts.isIdentifier(base) ? base.text : undefined;
}

function lineageOf(
  start: ts.ClassLikeDeclaration | undefined,
  topLevel: ReadonlyMap<string, ts.Node>,
): ts.ClassLikeDeclaration[] {
  const line: ts.ClassLikeDeclaration[] = [];
  for (let at = start; at !== undefined && !line.includes(at);) {
    line.push(at);
    const base = baseName(at);
    at = base === undefined ? undefined : classNamed(base, topLevel);
  }
  return line;
}

export type PfFunction = ts.MethodDeclaration | ts.ArrowFunction | ts.FunctionExpression;

/** The method `name` of the PF or of its bases in the file; an arrow function in a field counts. */
export function methodOf(module: PfModule, name: string): PfFunction | undefined {
  for (const node of module.lineage) {
    for (const member of node.members) {
      if (member.name === undefined || !ts.isIdentifier(member.name) || member.name.text !== name) continue;
      if (ts.isMethodDeclaration(member) && member.body !== undefined) return member;
      const value = ts.isPropertyDeclaration(member) ? member.initializer : undefined;
      if (value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value))) return value;
    }
  }
  return undefined;
}

/** An identifier that reads or writes a variable: not a key, a member's name, a declaration or a type. */
export function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  if (ts.isMetaProperty(parent) || ts.isImportSpecifier(parent) || ts.isImportAttribute(parent)) return false;
  const named = parent as { readonly name?: ts.Node };
  return (
    named.name !== node && !ts.isPartOfTypeNode(node) && !ts.isTypeNode(parent) && !ts.isTypeElement(parent)
  );
}

/** The node without parentheses, assertions and `!`. */
export function bare(node: ts.Expression): ts.Expression {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAssertionExpression(inner) ||
    ts.isNonNullExpression(inner) ||
    ts.isSatisfiesExpression(inner)
  ) {
    inner = inner.expression;
  }
  return inner;
}

/** `=`, `+=`, `??=` and the like. */
export function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** The variable that a chain such as `a.b[0].c()` starts from. */
export function rootOf(node: ts.Expression): ts.Expression {
  const inner = bare(node);
  if (ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner))
    return rootOf(inner.expression);
  return inner;
}

/** The name in `a.name` or `a["name"]`. */
export function memberName(node: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  return undefined;
}

/** True when the node runs each time a function is called, not once when the module is loaded. */
export function isInFunction(node: ts.Node): boolean {
  return ts.findAncestor(node, ts.isFunctionLike) !== undefined;
}

/** What an assignment, `++`, `--` or `delete` writes to; undefined for any other node. */
export function writtenBy(node: ts.Node): ts.Expression | undefined {
  if (isAssignment(node)) return node.left;
  if (ts.isDeleteExpression(node)) return node.expression;
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return undefined;
  const isStep =
    node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
  return isStep ? node.operand : undefined;
}

/** Declared with `const`. */
export function isConstant(node: ts.VariableDeclaration): boolean {
  return ts.isVariableDeclarationList(node.parent) && keywordOf(node.parent) === "const";
}

/** The word that a list of variables is declared with. */
export function keywordOf(list: ts.VariableDeclarationList): "const" | "let" | "var" {
  if ((list.flags & ts.NodeFlags.Const) !== 0) return "const";
  return (list.flags & ts.NodeFlags.Let) === 0 ? "var" : "let";
}
