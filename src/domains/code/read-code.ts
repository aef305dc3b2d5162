import type { CodeDraft, CodeEntry } from "./code-types.d.ts";
import { askedEntries, givenNames, limitsOf, type AskedEntry } from "./draft/asked.ts";
import { underItsHead } from "./draft/body.ts";
import { bindingsOf } from "./draft/bindings.ts";
import { definitionsOf, functionsOf, type Definition } from "./draft/functions.ts";
import { boundsOf, endsOf, floatsOf } from "./draft/indexes.ts";
import { MOST_LISTED, QUESTION_CHARS, READ_CHARS } from "./draft/limits.ts";
import { loopsOf } from "./draft/loops.ts";
import { problemAt } from "./draft/problem.ts";
import { Pieces, treeOf, type CodeTree } from "./draft/tree.ts";
import { undefinedNames } from "./draft/undefined-names.ts";
import { branchesOf, importsOf, inputsOf } from "./draft/uses.ts";
import { atMargin, findProgram } from "./find-program.ts";

/** Reads the proposed program of an answer to a question. Never fails; what cannot be read is left out. */
export function readCode(about: { readonly question: string; readonly answer: string }): CodeDraft {
  const question = about.question.slice(0, QUESTION_CHARS);
  const asked = askedEntries(question);
  const name = asked[0]?.name;
  const program = findProgram(about.answer, name)?.text ?? "";
  const source = underItsHead(name === undefined ? program : atMargin(program, name), asked[0]);
  const limits = limitsOf(question);
  const isRead = source.trim() !== "" && source.length <= READ_CHARS;
  if (!isRead) return { ...NOTHING, source, limits, entries: missing(asked, source !== "") };
  const tree = treeOf(source);
  const pieces = new Pieces({ source });
  if ("errorAt" in tree) {
    const problem = problemAt(source, tree.errorAt, pieces);
    return {
      ...NOTHING,
      source,
      kind: "function",
      limits,
      entries: missing(asked, true),
      ...(problem && { problem }),
    };
  }
  const inputs = inputsOf(tree, pieces);
  return { ...factsOf(tree, pieces, question, asked, inputs.length > 0), source, inputs, limits };
}

const NOTHING: Omit<CodeDraft, "source" | "limits" | "entries"> = {
  kind: "none",
  functions: [],
  loops: [],
  imports: [],
  undefinedNames: [],
  inputs: [],
  branches: [],
  ends: [],
  slowCalls: [],
  bounds: [],
  floats: [],
};

/** Of a program that was not read, nothing is said to be missing. */
function missing(asked: readonly AskedEntry[], isThere: boolean): readonly CodeEntry[] {
  return asked.map((entry) => ({ ...entry, isDefined: isThere }));
}

function factsOf(
  tree: CodeTree,
  pieces: Pieces,
  question: string,
  asked: readonly AskedEntry[],
  isScript: boolean,
): Omit<CodeDraft, "source" | "inputs" | "limits"> {
  const definitions = definitionsOf(tree);
  const bindings = bindingsOf(tree);
  const top = bindings.module.names;
  const entries = asked.map((entry) => ({
    ...entry,
    isDefined: bindings.isOpen || isDefined(entry, top, definitions),
  }));
  return {
    kind: kindOf(top, isScript, definitions),
    entries,
    functions: functionsOf(tree, pieces, definitions, bindings.scopes),
    ...loopsOf(tree, pieces),
    imports: importsOf(tree, pieces),
    undefinedNames: undefinedNames({ tree, bindings, pieces, most: MOST_LISTED }, givenNames(question)),
    branches: branchesOf(tree, pieces),
    ends: endsOf(tree, pieces, definitions),
    bounds: boundsOf(tree, pieces),
    floats: floatsOf(tree, pieces),
  };
}

function isDefined(
  { name, owner }: AskedEntry,
  top: ReadonlyMap<string, unknown>,
  all: readonly Definition[],
): boolean {
  return owner === undefined ? top.has(name) : all.some((one) => one.name === name && one.owner === owner);
}

function kindOf(
  top: ReadonlyMap<string, unknown>,
  isScript: boolean,
  definitions: readonly Definition[],
): CodeDraft["kind"] {
  if (top.has("Solution")) return "class";
  return isScript || definitions.length === 0 ? "script" : "function";
}
