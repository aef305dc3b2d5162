import ts from "typescript";
import type { Decision, FunctionShape, Guard, ReturnShape } from "./decision.ts";
import { bare, walk } from "./pf-module.ts";
import type { ReadDecision } from "./read-decision.ts";
import { PROBE, type Place, type Traceable, type Tracer } from "./tracer.ts";

/** Reads the returns of a function, with what stands around and before them, and has them probed. */
export function shapeOf(node: Traceable, fn: number, tracer: Tracer, read: ReadDecision): FunctionShape {
  const { body } = node;
  const name = nameOf(node);
  const returns: ReturnShape[] = [];
  if (body !== undefined && ts.isBlock(body)) {
    tracer.mark(
      at(body.getStart(tracer.module.ast) + 1, (id) => `${PROBE}(${id}, 0);`),
      node,
      fn,
      "enter",
    );
    tracer.mark(
      at(body.end - 1, (id) => `;${PROBE}(${id}, 0);`),
      node,
      fn,
      "exit",
    );
    const reader: Reader = { fn, tracer, decide: (test) => read(test, fn, tracer), guards: new Map() };
    for (const statement of returnsIn(body)) returns.push(returnShape(statement, body, reader, read));
  } else if (body !== undefined) {
    const start = body.getStart(tracer.module.ast);
    tracer.mark(
      { start, end: body.end, before: (id) => `(${PROBE}(${id}, 0), `, after: ")" },
      node,
      fn,
      "enter",
    );
    const decision = read(body, fn, tracer, "return");
    if (decision.id !== undefined)
      returns.push({ id: decision.id, line: decision.line, decision, enclosing: [], guards: [] });
  }
  return { name, line: tracer.lineOf(node), returns };
}

interface Reader {
  readonly fn: number;
  readonly tracer: Tracer;
  decide(test: ts.Expression): Decision;
  /** What was read already: every later return has the same statements before it. */
  readonly guards: Map<ts.Statement, readonly Guard[]>;
}

function at(offset: number, before: Place["before"]): Place {
  return { start: offset, end: offset, before, after: "" };
}

function nameOf(node: Traceable): string {
  const named =
    node.name ??
    (ts.isVariableDeclaration(node.parent) || ts.isPropertyDeclaration(node.parent)
      ? node.parent.name
      : undefined);
  return named?.getText() ?? "a function";
}

/** Returns of this function and not of those inside it, in source order. */
function returnsIn(body: ts.Node): ts.ReturnStatement[] {
  const found: ts.ReturnStatement[] = [];
  walk(body, (node) => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
    if (ts.isReturnStatement(node)) found.push(node);
    return undefined;
  });
  return found;
}

function returnShape(
  node: ts.ReturnStatement,
  body: ts.Block,
  reader: Reader,
  read: ReadDecision,
): ReturnShape {
  const { tracer, fn } = reader;
  const enclosing: Decision[] = [];
  const guards: Guard[] = [];
  for (let inner: ts.Node = node; inner !== body; inner = inner.parent) {
    const { parent } = inner;
    const { pos } = inner;
    if (ts.isIfStatement(parent) && inner !== parent.expression)
      enclosing.unshift(reader.decide(parent.expression));
    if (ts.isSwitchStatement(parent)) enclosing.unshift(subjectOf(parent, reader));
    if (ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent)) {
      const before = parent.statements.filter((statement) => statement.end <= pos);
      guards.unshift(...before.flatMap((statement) => guardsIn(statement, reader)));
    }
  }
  const line = tracer.lineOf(node);
  if (node.expression === undefined) {
    const offset = node.getStart(tracer.module.ast) + "return".length;
    const id = tracer.mark(
      at(offset, (probe) => ` ${PROBE}(${probe})`),
      node,
      fn,
      "return",
    );
    return { id, line, decision: undefined, enclosing, guards };
  }
  const decision = read(node.expression, fn, tracer, "return");
  return { id: decision.id ?? -1, line, decision, enclosing, guards };
}

function subjectOf({ expression }: ts.SwitchStatement, reader: Reader): Decision {
  const { text, line, start, end, id } = reader.decide(expression);
  return { text, line, start, end, id, kind: "subject" };
}

/** The tests of a statement that could have returned before control went past it. */
function guardsIn(node: ts.Statement, reader: Reader): readonly Guard[] {
  const guards = reader.guards.get(node) ?? readGuards(node, reader);
  reader.guards.set(node, guards);
  return guards;
}

function readGuards(node: ts.Statement, reader: Reader): readonly Guard[] {
  const returns = returnsIn(node);
  if (returns.length === 0) return [];
  const line = reader.tracer.lineOf(node);
  const common = { line, outcome: outcomeOf(returns) };
  if (ts.isIfStatement(node)) {
    const no = node.elseStatement === undefined ? [] : guardsIn(node.elseStatement, reader);
    return [
      { ...common, test: reader.decide(node.expression), yes: guardsIn(node.thenStatement, reader), no },
    ];
  }
  if (ts.isSwitchStatement(node)) return [{ ...common, test: subjectOf(node, reader), yes: [], no: [] }];
  if (ts.isBlock(node)) return node.statements.flatMap((statement) => guardsIn(statement, reader));
  if (ts.isTryStatement(node)) return guardsIn(node.tryBlock, reader);
  if (ts.isReturnStatement(node)) return [];
  return [{ ...common, test: undefined, yes: [], no: [] }];
}

function outcomeOf(returns: readonly ts.ReturnStatement[]): boolean | undefined {
  const kinds = new Set(returns.map((node) => node.expression && bare(node.expression).kind));
  if (kinds.size !== 1) return undefined;
  if (kinds.has(ts.SyntaxKind.TrueKeyword)) return true;
  return kinds.has(ts.SyntaxKind.FalseKeyword) || kinds.has(undefined) ? false : undefined;
}
