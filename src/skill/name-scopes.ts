import ts from "typescript";
import { isConstant, isDeclaring, keywordOf, walk, writtenBy } from "./pf-module.ts";

/** Answers what an identifier of one file stands for, by the rules of lexical scope. */
export interface NameScopes {
  /** The one declaration that the identifier refers to; undefined for a global, or where the file leaves a doubt. */
  declarationOf(name: ts.Identifier): ts.Node | undefined;
  /** What a `const` holds from its first moment on; undefined for every other kind of name. */
  constantOf(name: ts.Identifier): ts.Expression | undefined;
  /** Some property or variable of this name is written to somewhere in the file. */
  isWritten(name: string): boolean;
}

interface Declared {
  readonly node: ts.Node;
  readonly scope: ts.Node;
}

/** Reads the scopes of a parsed file, without a type checker. */
export function nameScopes(ast: ts.SourceFile): NameScopes {
  const declared = new Map<string, Declared[]>();
  const written = new Set<string>();
  walk(ast, (node) => {
    const name = declaredName(node);
    if (name !== undefined)
      declared.set(name, [...(declared.get(name) ?? []), { node, scope: scopeOf(node) }]);
    for (const target of targetsIn(node)) written.add(target);
  });

  function declarationOf(name: ts.Identifier): ts.Node | undefined {
    const around = (declared.get(name.text) ?? []).filter(({ scope }) => contains(scope, name));
    const [inner, next] = around.toSorted((a, b) => sizeOf(a.scope) - sizeOf(b.scope));
    return inner?.scope === next?.scope ? undefined : inner?.node;
  }

  return {
    declarationOf,
    constantOf(name) {
      const node = declarationOf(name);
      return node !== undefined &&
        ts.isVariableDeclaration(node) &&
        ts.isIdentifier(node.name) &&
        isConstant(node)
        ? node.initializer
        : undefined;
    },
    isWritten: (name) => written.has(name),
  };
}

function contains(scope: ts.Node, node: ts.Node): boolean {
  return scope.pos <= node.pos && node.end <= scope.end;
}

function sizeOf(scope: ts.Node): number {
  return scope.end - scope.pos;
}

/** The name that a node introduces as a value; an overload without a body introduces nothing of its own. */
function declaredName(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) && node.body === undefined) return undefined;
  if (!isDeclaring(node) || ts.isModuleDeclaration(node) || node.name === undefined) return undefined;
  return ts.isIdentifier(node.name) ? node.name.text : undefined;
}

/** The part of the file in which a declaration's name means that declaration. */
function scopeOf(node: ts.Node): ts.Node {
  const declaration = ts.isBindingElement(node) ? rootOfPattern(node) : node;
  if (ts.isParameter(declaration)) return declaration.parent;
  if (ts.isFunctionExpression(declaration) || ts.isClassExpression(declaration)) return declaration;
  const isVar =
    ts.isVariableDeclaration(declaration) &&
    ts.isVariableDeclarationList(declaration.parent) &&
    keywordOf(declaration.parent) === "var";
  const opens = isVar ? opensFunction : opensBlock;
  return ts.findAncestor(declaration.parent, opens) ?? declaration.getSourceFile();
}

function rootOfPattern(node: ts.BindingElement): ts.Node {
  return ts.walkUpBindingElementsAndPatterns(node);
}

function opensFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) || ts.isSourceFile(node) || ts.isClassStaticBlockDeclaration(node);
}

function opensBlock(node: ts.Node): boolean {
  return (
    opensFunction(node) ||
    ts.isBlock(node) ||
    ts.isCaseBlock(node) ||
    ts.isCatchClause(node) ||
    ts.isForStatement(node) ||
    ts.isForInStatement(node) ||
    ts.isForOfStatement(node)
  );
}

/** The last names of what a node writes to: `x` of `x = 1`, `b` of `a.b++`, all of `[x, a.b] = …`. */
function targetsIn(node: ts.Node): string[] {
  const isLoop = ts.isForOfStatement(node) || ts.isForInStatement(node);
  const target =
    isLoop && !ts.isVariableDeclarationList(node.initializer) ? node.initializer : writtenBy(node);
  if (target === undefined) return [];
  const names: string[] = [];
  walk(target, (part) => {
    if (ts.isIdentifier(part) || ts.isStringLiteralLike(part) || ts.isPrivateIdentifier(part))
      names.push(part.text);
  });
  return names;
}
