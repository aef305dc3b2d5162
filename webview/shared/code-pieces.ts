import { html } from "lit";
import { UNSEEN } from "../../src/model/printable.ts";

/** A part of a program that has a colour of its own. */
export interface CodeToken {
  readonly from: number;
  readonly to: number;
  /** As `code-<kind>` a class of `code-styles.ts`. */
  readonly kind: string;
}

declare global {
  /** Set by the script of `webview/python/main.ts`. */
  var haspPythonTokens: ((program: string) => readonly CodeToken[]) | undefined;
}

/** Characters of a program that are coloured; what follows them has the colour of the text. */
const MOST_COLOURED = 20_000;

/** A part of a line; without a kind it has the colour of the text. */
interface Piece {
  readonly text: string;
  readonly kind?: string;
}

function piecesOf(program: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to, kind } of globalThis.haspPythonTokens?.(program.slice(0, MOST_COLOURED)) ?? []) {
    if (from > at) pieces.push({ text: program.slice(at, from) });
    pieces.push({ text: program.slice(from, to), kind });
    at = to;
  }
  return at < program.length ? [...pieces, { text: program.slice(at) }] : pieces;
}

/** `U+202E` */
const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Text of a program with a sign in place of each character that nobody sees; the character itself stays, so that it is found and copied. */
export function visibleText(text: string): unknown {
  const parts: unknown[] = [];
  let at = 0;
  for (const { 0: unseen, index } of text.matchAll(UNSEEN)) {
    const isLineEnd = unseen === "\r" && text[index + 1] === "\n";
    parts.push(text.slice(at, index));
    parts.push(
      html`<span class="unseen" data-name=${isLineEnd ? "" : nameOf(unseen)}
        ><span class="unseen-source">${unseen}</span></span
      >`,
    );
    at = index + unseen.length;
  }
  return at === 0 ? text : [...parts, text.slice(at)];
}

function pieceView({ text, kind }: Piece): unknown {
  return kind === undefined
    ? visibleText(text)
    : html`<span class="code-${kind}">${visibleText(text)}</span>`;
}

/** A Python program with its colours, as far as they are loaded. */
export function programView(program: string): unknown {
  return piecesOf(program).map(pieceView);
}

/** The same by lines, without their ends. */
export function programLines(program: string): readonly unknown[] {
  const lines: Piece[][] = [[]];
  for (const { text, ...look } of piecesOf(program))
    for (const [i, part] of text.split("\n").entries()) {
      if (i > 0) lines.push([]);
      lines.at(-1)?.push({ ...look, text: part });
    }
  return lines.map((pieces) => pieces.map(pieceView));
}
