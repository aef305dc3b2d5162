import ts from "typescript";
import type { PhaseName } from "../model/skill.ts";
import { nameScopes, type NameScopes } from "./name-scopes.ts";
import { bare, methodOf, walk, type PfModule } from "./pf-module.ts";

/** What a prompt-equivalent PF says, as a phase instruction would. */
export interface PromptInstruction {
  readonly phase: PhaseName;
  readonly conditions: readonly string[];
  readonly text: string;
}

/** The string that a constant expression stands for. */
function valueOf(node: ts.Expression, names: NameScopes, depth = 0): string | undefined {
  const value = bare(node);
  if (depth > 8) return undefined;
  if (ts.isStringLiteralLike(value)) return value.text;
  if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = valueOf(value.left, names, depth + 1);
    const right = valueOf(value.right, names, depth + 1);
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (!ts.isIdentifier(value)) return undefined;
  const held = names.constantOf(value);
  return held === undefined ? undefined : valueOf(held, names, depth + 1);
}

const PHASES: readonly (readonly [word: RegExp, phase: PhaseName])[] = [
  [/["']FINAL["']/, "pre_final"],
  [/["']READ["']/, "post_read"],
  [/["']SEARCH["']/, "post_search"],
];

const CONDITIONS: readonly (readonly [code: RegExp, condition: string])[] = [
  [/!ctx\.hasRead\b|ctx\.readCount === 0/, "no_read_yet"],
  [/(?<!!)ctx\.hasRead\b|ctx\.readCount > 0/, "has_read"],
  [/ctx\.searchCount === 0/, "no_search_yet"],
  [/(?<!!)ctx\.emptyResults\b/, "search_empty"],
  [/(?<!!)ctx\.contradictorySources\b/, "sources_conflict"],
];

/** The first argument of each `injectContext` call; undefined for one that is no constant text. */
function injectedTexts(module: PfModule, names: NameScopes): readonly (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  walk(module.ast, (node) => {
    if (!ts.isCallExpression(node) || !/(?:^|\.)injectContext$/.test(node.expression.getText(module.ast)))
      return;
    const [first] = node.arguments;
    texts.push(first === undefined ? undefined : valueOf(first, names));
  });
  return texts;
}

/** The texts that a prompt-equivalent PF injects, each once, in the order of its code. */
export function fixedTexts(module: PfModule): readonly string[] {
  const texts = injectedTexts(module, nameScopes(module.ast));
  return [...new Set(texts.flatMap((text) => text ?? []))];
}

/**
 * The one text that a PF injects, the phase that its trigger speaks of, and those of its conditions that SKILL.md has words for;
 * undefined where it has several texts or none. Other conditions are lost: a person decides whether that matters.
 */
export function promptInstruction(module: PfModule): PromptInstruction | undefined {
  const names = nameScopes(module.ast);
  const [text, ...others] = injectedTexts(module, names);
  const trigger = methodOf(module, "shouldActivate")?.body?.getText(module.ast) ?? "";
  const phase = PHASES.find(([word]) => word.test(trigger))?.[1] ?? "pre_final";
  const conditions = CONDITIONS.flatMap(([code, condition]) => (code.test(trigger) ? [condition] : []));
  return text === undefined || others.length > 0 ? undefined : { phase, conditions, text };
}
