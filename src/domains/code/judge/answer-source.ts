import { indented } from "../draft/body.ts";
import { atMargin, defines, findProgram } from "../find-program.ts";
import type { Material } from "./material.ts";

/** Names that solutions of competitions use without importing them. */
const USUAL_IMPORTS = `import bisect, collections, functools, heapq, itertools, math, operator, random, re, string, sys
from bisect import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import *
from typing import *
`;

/** The part of a prompt before the entry: its imports and helpers. */
function before(prompt: string, entry: string): string {
  for (const { index, 1: name } of prompt.matchAll(/^def[ \t]+(\w+)/gm))
    if (name === entry) return prompt.slice(0, index);
  return "";
}

/** A line that stands at the margin of a program, and not of a body. */
const AT_MARGIN = /^(?:(?:async[ \t]+def|def|class|import|from|if[ \t]+__name__)\b|[@#])/;
const indentOf = (line: string): number => line.search(/\S/);

/** Functions and classes alone, none of them the entry: a program of another name, and no body, whose first indentation may be lost. */
function isOfOtherName(program: string): boolean {
  const lines = program.split("\n").filter((line) => line.trim() !== "");
  const [first = "", second = ""] = lines;
  if (!/^(?:async[ \t]+def|def|class)\b/m.test(program)) return false;
  if (!lines.every((line) => /^\s/.test(line) || AT_MARGIN.test(line))) return false;
  if (lines.some((line, i) => i > 0 && !/^\s/.test(line))) return true;
  // Of a body that lost its first indentation, later lines are less deep than the second one.
  return (
    first.trimEnd().endsWith(":") && lines.every((line, i) => i === 0 || indentOf(line) >= indentOf(second))
  );
}

/** An answer is a program by itself, or what follows the prompt. */
function completed(
  program: string,
  { entry, prompt }: { readonly entry: string; readonly prompt: string },
): string {
  const isWhole =
    defines(program, entry) || /^class[ \t]+Solution\b/m.test(program) || isOfOtherName(program);
  return isWhole ? `${before(prompt, entry)}\n${program}` : `${prompt.trimEnd()}\n${indented(program)}`;
}

const FROM_FUTURE = /^from[ \t]+__future__[ \t]+import\b[^(\\\n]*$/gm;

/** The program that runs for an answer, as its benchmark puts it together; undefined where the answer holds none. */
export function sourceOf(answer: string, material: Material): string | undefined {
  const entry = "entry" in material ? material.entry : undefined;
  const found = findProgram(answer, entry);
  if (found === undefined) return undefined;
  const program = atMargin(found.text, entry);
  // Nothing may stand before these.
  const future = program.match(FROM_FUTURE) ?? [];
  return [...future, together(program.replaceAll(FROM_FUTURE, ""), material)].join("\n");
}

function together(program: string, material: Material): string {
  switch (material.kind) {
    case "calls":
      return `${completed(program, material)}\n`;
    case "asserts":
      return `${material.imports.join("\n")}\n${program}\n`;
    case "unittest":
      // Imports and the head of the function stand before each answer, as the benchmark's own evaluation has it.
      return `${material.prompt}\n    pass\n${unittestProgram(program, material)}\n`;
    case "scripts":
      return `${program}\n`;
    case "method":
      return `${USUAL_IMPORTS}\n${program}\n`;
  }
}

const unittestProgram = (
  program: string,
  { entry, prompt }: { readonly entry: string; readonly prompt: string },
): string => (defines(program, entry) ? program : `${prompt.trimEnd()}\n${indented(program)}`);

/** The program of the reference solution; undefined where the question has none. */
export function referenceOf(material: Material): string | undefined {
  switch (material.kind) {
    case "calls":
      return `${material.prompt}${material.solution}\n`;
    case "asserts":
      return `${material.imports.join("\n")}\n${material.solution}\n`;
    case "unittest":
      return `${material.prompt}\n${material.solution}\n`;
    case "scripts":
    case "method":
      return undefined;
  }
}
