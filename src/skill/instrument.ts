import ts from "typescript";
import type { Checked } from "../model/diagnostic.ts";
import type { FunctionShape, Instrumented, ProbeSpan, Term } from "./decision.ts";
import { editList, type EditList } from "./edit-list.ts";
import { oneLine } from "./one-line.ts";
import { isConstant, methodOf, parsePf, walk, type PfModule } from "./pf-module.ts";
import { readDecision } from "./read-decision.ts";
import { shapeOf } from "./read-returns.ts";
import { unlessTooDeep } from "./readable.ts";
import { reportOn } from "./report.ts";
import { sourceText } from "./source-text.ts";
import { PROBE, type Traceable, type Tracer } from "./tracer.ts";
import { transpile } from "./transpile.ts";

export type { Instrumented } from "./decision.ts";

/**
 * An instrumented copy of the PF: every operand that helps to decide the answer of `shouldActivate`, there and in the
 * functions of the file that it calls, leaves its value and place. Order of evaluation and short circuits stay as they are.
 * No value when the source does not parse or has no `shouldActivate`.
 */
export function instrument(source: string, file: string): Checked<Instrumented> {
  const plain = transpile(source, file);
  const code = plain.value;
  if (code === undefined) return { value: undefined, diagnostics: plain.diagnostics };
  const report = reportOn(file);
  const text = sourceText(source);
  const value = unlessTooDeep(text, report, () => {
    const module = parsePf(code);
    const start = methodOf(module, "shouldActivate");
    if (start !== undefined && isTraceable(start)) return trace(code, source, module, start);
    report.error(
      "HASP201",
      text.range(0, 0),
      "There is no `shouldActivate` that answers at once, so there is nothing to explain.",
      "Give the default class a method `shouldActivate(ctx, actionType, arg)`.",
    );
    return undefined;
  });
  return { value, diagnostics: report.diagnostics };
}

function trace(code: string, source: string, module: PfModule, start: Traceable): Instrumented {
  const queue: Traceable[] = [start];
  const spans: ProbeSpan[] = [];
  const edits = editList();
  const tracer = tracerOf(module, source, queue, spans, edits);
  const functions: FunctionShape[] = [];
  // The queue grows while it is read: each function asks for those that its decisions call.
  for (let fn = 0; fn < queue.length; fn++) {
    const node = queue[fn];
    if (node !== undefined) functions.push(shapeOf(node, fn, tracer, readDecision));
  }
  return { code: edits.apply(code), source, spans, functions };
}

function isTraceable(node: ts.Node): node is Traceable {
  const isFunction =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node);
  if (!isFunction || node.body === undefined || node.asteriskToken !== undefined) return false;
  return !(node.modifiers ?? []).some((m) => m.kind === ts.SyntaxKind.AsyncKeyword);
}

function tracerOf(
  module: PfModule,
  source: string,
  queue: Traceable[],
  spans: ProbeSpan[],
  edits: EditList,
): Tracer {
  const terms = new Map<ts.Node, Term>();
  const named = functionsByName(module);
  const textOf = (node: ts.Node): string => oneLine(source.slice(node.getStart(module.ast), node.end));
  const lineOf = (node: ts.Node): number => module.rangeOf(node).start.line + 1;
  const placeOf = (node: ts.Node): Omit<Term, "id"> => ({
    text: textOf(node),
    line: lineOf(node),
    start: node.getStart(module.ast),
    end: node.end,
  });
  const span = (node: ts.Node, fn: number, role: ProbeSpan["role"]): number => {
    spans.push({ id: spans.length, text: textOf(node), line: lineOf(node), fn, role });
    return spans.length - 1;
  };
  return {
    module,
    decisions: new Map(),
    placeOf,
    lineOf,
    wrap(node, fn, role = "value") {
      const known = terms.get(node);
      if (known !== undefined) return known;
      const id = span(node, fn, role);
      const term = { ...placeOf(node), id };
      terms.set(node, term);
      const isComma = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken;
      edits.around(
        node.getStart(module.ast),
        node.end,
        `${PROBE}(${id}, ${isComma ? "(" : ""}`,
        isComma ? "))" : ")",
      );
      return term;
    },
    mark(place, node, fn, role) {
      const id = span(node, fn, role);
      edits.around(place.start, place.end, place.before(id), place.after);
      return id;
    },
    calleeOf(call) {
      const target = targetOf(call, module, named);
      if (target === undefined || !isTraceable(target)) return undefined;
      if (!queue.includes(target)) queue.push(target);
      return queue.indexOf(target);
    },
  };
}

/** Functions by a name that nothing else in the file bears: a name with two meanings is left alone. */
function functionsByName(module: PfModule): ReadonlyMap<string, ts.Node> {
  const found = new Map<string, ts.Node | undefined>();
  walk(module.ast, (node) => {
    const isNamed =
      ts.isVariableDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node);
    if (!isNamed || node.name === undefined || !ts.isIdentifier(node.name)) return;
    const value = ts.isVariableDeclaration(node) ? (isConstant(node) ? node.initializer : undefined) : node;
    found.set(node.name.text, found.has(node.name.text) ? undefined : value);
  });
  return new Map([...found].filter((entry): entry is [string, ts.Node] => entry[1] !== undefined));
}

function targetOf(
  call: ts.CallExpression,
  module: PfModule,
  named: ReadonlyMap<string, ts.Node>,
): ts.Node | undefined {
  const { expression } = call;
  if (ts.isIdentifier(expression)) return named.get(expression.text);
  if (!ts.isPropertyAccessExpression(expression) || !ts.isIdentifier(expression.name)) return undefined;
  return expression.expression.kind === ts.SyntaxKind.ThisKeyword
    ? methodOf(module, expression.name.text)
    : undefined;
}
