import { defines } from "../find-program.ts";
import type { AskedEntry } from "./asked.ts";

const INDENT = "    ";

/** The body of a function, which an answer that continues the question's code is, with the head of the question in front of it. */
export function underItsHead(program: string, asked: AskedEntry | undefined): string {
  if (asked === undefined || asked.owner !== undefined || !asked.words.endsWith(":")) return program;
  return isBody(program, asked.name) ? `${asked.words}\n${indented(program)}` : program;
}

/** It returns, and nothing at its margin defines or imports anything. */
function isBody(program: string, name: string): boolean {
  if (/^[ \t]+\S/.test(program)) return true;
  return (
    /^[ \t]*return\b/m.test(program) &&
    !defines(program, name) &&
    !/^(?:async|def|class|import|from|@)\b/m.test(program)
  );
}

/** A body with its indentation, which may be missing throughout or in the first line. */
export function indented(body: string): string {
  const lines = body.split("\n");
  const [first = "", ...rest] = lines;
  if (/^\s/.test(first)) return body;
  const isFlat = rest.every((line) => line.trim() === "") || rest.some((line) => /^[^\s#]/.test(line));
  return isFlat
    ? lines.map((line) => (line === "" ? line : `${INDENT}${line}`)).join("\n")
    : `${INDENT}${body}`;
}
