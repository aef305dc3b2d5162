// Import the source: the bundle also contains packages for chemistry and physics.
import temml from "temml/temml.js";
import type { DrawnFormula } from "../shared/formulas.ts";
import { formulaParts, type FormulaText } from "./parts.ts";
import { plainLatex } from "./plain-latex.ts";
import { isSafe, MATHML, removeColours, removeNegativeSpaces } from "./safe-math.ts";

/** Commands that change others, by which a short formula gets long: no text of an episode needs them. */
const DEFINES =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator)(?![A-Za-z])/;

/** Characters of a formula that stays in one piece; a browser breaks no line within one. */
const ONE_PIECE = 40;
/** Signs after which a long formula may go on in the next line. */
const BREAKS = new Set("=<>≤≥≠≈≡∼∈→⇒⟹⇔⟺+−±,;");

/** Pieces of a formula that follow each other, between which lines may break. */
function piecesOf(math: Element): readonly Element[] {
  const [row, ...others] = math.children;
  if (row === undefined || others.length > 0 || row.localName !== "mrow") return [math];
  const pieces: Element[][] = [];
  let piece: Element[] = [];
  for (const part of row.children) {
    if (piece.length === 0) pieces.push(piece);
    piece.push(part);
    // A sign that begins a piece is one of a number: `= −2`.
    if (piece.length > 1 && part.localName === "mo" && BREAKS.has(part.textContent)) piece = [];
  }
  return pieces.map((parts) => withParts(math, parts));
}

function withParts(math: Element, parts: readonly Element[]): Element {
  const [piece, row] = [math.cloneNode() as Element, document.createElementNS(MATHML, "mrow")];
  row.append(...parts);
  piece.append(row);
  return piece;
}

/**
 * The formula as MathML, a long one in pieces between which lines may break. Undefined for what is no formula, defines commands, or
 * gives anything but MathML of a sane size.
 */
function piecesOfFormula(latex: string, display: boolean): readonly Element[] | undefined {
  if (DEFINES.test(latex)) return undefined;
  const holder = document.createElement("span");
  try {
    temml.render(plainLatex(latex), holder, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
    });
  } catch {
    // A parse error, or nesting that is too deep for its recursion.
    return undefined;
  }
  const math = holder.firstElementChild;
  if (math === null || holder.children.length !== 1 || !isSafe(math)) return undefined;
  removeColours(math);
  removeNegativeSpaces(math);
  // In the line that it is written in: the text around it breaks lines by itself.
  for (const attribute of ["display", "class", "style"]) math.removeAttribute(attribute);
  const pieces = latex.length <= ONE_PIECE ? [math] : piecesOf(math);
  if (display) for (const piece of pieces) piece.setAttribute("displaystyle", "true");
  return pieces;
}

/** A text in its order: what stays text, and its formulas. */
export function drawFormulas(text: string, kind: FormulaText): readonly (string | DrawnFormula)[] {
  return formulaParts(text, kind).map((part) => {
    if (typeof part === "string") return part;
    const pieces = piecesOfFormula(part.latex, part.display);
    return pieces === undefined ? part.source : { source: part.source, pieces };
  });
}
