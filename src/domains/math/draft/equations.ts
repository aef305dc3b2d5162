import { toText, type Rational } from "../expression/rational.ts";
import type { DraftEquation } from "../math-types.d.ts";
import { extentOf, linksOf, loneMarks, quoted, type Link } from "./links.ts";
import type { Side } from "./sides.ts";
import type { Token } from "./token.ts";
import { tokensOf } from "./tokens.ts";
import { truthOf, valueOf } from "./truth.ts";

/** Equations of numbers in a text, in its order, at most `most`. Of those that cannot be read whole, or may be meant otherwise, there is none. */
export function equationsOf(
  text: string,
  tokens: readonly Token[],
  links: readonly Link[],
  most: number,
): readonly DraftEquation[] {
  const reading = new Reading(text, tokens);
  const marks = loneMarks(tokens, links);
  const all = [
    ...links.map((link) => ({ at: link.start, read: () => reading.link(link) })),
    ...marks.map(({ start, text: inside }) => ({ at: start, read: () => reading.mark(inside) })),
  ].toSorted((a, b) => a.at - b.at);
  for (const { read } of all) {
    if (reading.found.length >= most) break;
    read();
  }
  return reading.found.slice(0, most);
}

class Reading {
  readonly found: DraftEquation[] = [];
  private readonly rounded = new Set<string>();
  private readonly text: string;
  private readonly tokens: readonly Token[];

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text;
    this.tokens = tokens;
  }

  /** The mark of a calculator says the same again. */
  link(link: Link): void {
    // A result that the mark has noted as rounded is this link's own.
    const before = new Set(this.rounded);
    if (link.mark !== undefined) this.mark(link.mark);
    this.add(link, this.text, this.tokens, before);
  }

  /** Whether the mark is an equation of numbers. */
  mark(inside: string): boolean {
    const tokens = tokensOf(inside);
    return linksOf(tokens).filter((link) => this.add(link, inside, tokens)).length > 0;
  }

  private add(
    link: Link,
    text: string,
    tokens: readonly Token[],
    rounded: ReadonlySet<string> = this.rounded,
  ): boolean {
    const a = valueOf(link.left);
    const b = a && valueOf(link.right);
    if (a === undefined || b === undefined || !link.isStated) return false;
    const truth = truthOf(link, a, b, (number) => rounded.has(number));
    if (truth === "unclear") return true;
    this.noteRounded(link.right, a, b);
    const side = (one: Side): string => {
      const { start, end } = extentOf(tokens, one);
      return quoted(text, start, end);
    };
    const last = this.found.at(-1);
    if (link.mark !== undefined && last?.holds === (truth === "holds")) this.found.pop();
    this.found.push({
      text: quoted(text, link.start, link.end),
      left: side(link.left),
      right: side(link.right),
      holds: truth === "holds",
      makes: toText(a),
    });
    return true;
  }

  private noteRounded(right: Side, made: Rational, written: Rational): void {
    const [only] = right.operands;
    if (only?.kind === "number" && toText(made) !== toText(written)) this.rounded.add(only.text);
  }
}
