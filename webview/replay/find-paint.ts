import { HaspClamp } from "../shared/clamp.ts";
import { findPattern } from "./find.ts";
import type { FindQuery, Hit } from "./find-query.ts";

/** Names of highlights in `styles/find.ts`. */
const ALL = "hasp-find";
const CURRENT = "hasp-find-current";

/** A piece of a shown text, and where it begins in the whole of it. */
interface Piece {
  readonly node: Text;
  readonly start: number;
}

interface ShownText {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** Words of the view itself, which are no part of the episode; a drawn formula is searched by its source. */
const OWN_WORDS = "button, .formula-drawn, [aria-hidden=true]:not(.formula-source), [data-no-find]";

/** The text of a field as `find.ts` searches it, put together from what is drawn. */
function readShown(field: Element): ShownText {
  const pieces: Piece[] = [];
  let text = "";
  const read = (node: Node): void => {
    if (node instanceof Text) {
      const isLayout = node.data.trim() === "" && node.parentElement?.closest(".action-arg, .text") === null;
      if (isLayout) return;
      pieces.push({ node, start: text.length });
      text += node.data;
    } else if (node instanceof HaspClamp) {
      if (text !== "" && !/\s$/.test(text)) text += "\n";
      node.textElement()?.childNodes.forEach(read);
    } else if (node instanceof Element && !node.matches(OWN_WORDS)) {
      node.childNodes.forEach(read);
      if (node.matches(".action-type")) text += " ";
    }
  };
  read(field);
  return { text, pieces };
}

/** One range for each piece that the characters lie in: a range cannot leave the tree that it begins in. */
function rangesOf({ pieces }: ShownText, from: number, to: number): Range[] {
  return pieces.flatMap(({ node, start }) => {
    const [first, last] = [Math.max(from - start, 0), Math.min(to - start, node.data.length)];
    if (first >= last) return [];
    const range = document.createRange();
    const source = node.parentElement;
    if (source?.matches(".formula-source") === true && source.nextElementSibling !== null) {
      range.selectNodeContents(source.nextElementSibling);
      return [range];
    }
    range.setStart(node, first);
    range.setEnd(node, last);
    return [range];
  });
}

function stepOf(field: Element): number | undefined {
  const t = field.closest<HTMLElement>("[data-t]")?.dataset["t"];
  return t === undefined ? undefined : Number(t);
}

/** The drawn part of the current hit. */
export interface Painted {
  readonly field: Element;
  /** None where the text is cut before the hit. */
  readonly ranges: readonly Range[];
}

/** Marks all hits in what is drawn below the roots. Returns the current one, where its field is drawn. */
export function paintHits(
  roots: readonly ParentNode[],
  query: FindQuery,
  current: Hit | undefined,
): Painted | undefined {
  const pattern = findPattern(query);
  const all = new Highlight();
  const chosen = new Highlight();
  chosen.priority = 1;
  let painted: Painted | undefined;
  for (const field of roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>("[data-field]")])) {
    if (pattern === undefined) break;
    const shown = readShown(field);
    const isCurrent = current?.field === field.dataset["field"] && current?.t === stepOf(field);
    const matches = [...shown.text.matchAll(pattern)];
    for (const [nth, match] of matches.entries()) {
      const ranges = rangesOf(shown, match.index, match.index + match[0].length);
      const isChosen = isCurrent && nth === current?.nth;
      for (const range of ranges) (isChosen ? chosen : all).add(range);
      if (isChosen) painted = { field, ranges };
    }
    if (isCurrent) painted ??= { field, ranges: [] };
  }
  CSS.highlights.set(ALL, all);
  CSS.highlights.set(CURRENT, chosen);
  return painted;
}

export function clearHits(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

/** The folded text that a hit lies in, where it is out of sight there. */
export function foldOver({ field, ranges }: Painted): HaspClamp | undefined {
  const clamps = field instanceof HaspClamp ? [field] : [...field.querySelectorAll("hasp-clamp")];
  return clamps
    .filter((clamp) => clamp instanceof HaspClamp)
    .find((clamp) => {
      const box = clamp.textElement();
      const inside = ranges.filter((range) => box?.contains(range.startContainer) === true);
      const bottom = box?.getBoundingClientRect().bottom ?? 0;
      return ranges.length === 0 || inside.some((range) => range.getBoundingClientRect().bottom > bottom + 1);
    });
}
