import { analyse } from "scslre";
import ts from "typescript";
import { bare, walk, type PfModule } from "../pf-module.ts";
import type { Report } from "../report.ts";

/** Characters of an expression that is looked at: the analysis of a longer one may itself take its time. */
const MOST_CHARACTERS = 500;
/** Expressions that are remembered: a file is checked at every keystroke. */
const MOST_KNOWN = 1_000;
const known = new Map<string, boolean>();

interface Expression {
  readonly source: string;
  readonly flags: string;
}

function read({ source, flags }: Expression): boolean {
  try {
    // What is only quadratic (`Move`) is in nearly every expression, and harmless at the length of a thought.
    const { reports } = analyse({ source, flags }, { reportTypes: { Move: false } });
    return reports.some(({ exponential }) => exponential);
  } catch {
    // No expression at all: TypeScript says so.
    return false;
  }
}

/** Whether some text takes it time that doubles with each further character: its repetitions may share the text in many ways. */
function isExponential(expression: Expression): boolean {
  const key = `${expression.flags}/${expression.source}`;
  const found = known.get(key) ?? read(expression);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

/** `/…/flags`, `RegExp("…")` and `new RegExp("…")`, as far as literals show them. */
function expressionIn(node: ts.Node): Expression | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const [, source = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
    return { source, flags };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  const callee = bare(node.expression);
  const [pattern, flags] = node.arguments ?? [];
  if (!ts.isIdentifier(callee) || callee.text !== "RegExp" || pattern === undefined) return undefined;
  if (!ts.isStringLiteralLike(pattern)) return undefined;
  return {
    source: pattern.text,
    flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : "",
  };
}

/**
 * A regular expression whose repetitions stand within one another and can share a text in many ways (HASP223): on some thought it never ends.
 * The sandbox interrupts it, and the skill is silent where it should act.
 */
export function endlessExpression(module: PfModule, report: Report): void {
  walk(module.ast, (node) => {
    const expression = expressionIn(node);
    if (expression === undefined || expression.source.length > MOST_CHARACTERS) return;
    if (!isExponential(expression)) return;
    report.warning(
      "HASP223",
      module.rangeOf(node),
      "This expression repeats what is itself repeated, and can share a text among both in many ways: some texts take it hours.",
      "Let each repetition begin with something that the one before cannot end with, or split the text first and look at the parts.",
    );
  });
}
