/** A stretch of a text: words, or the lines of a fenced block without its fences. */
export interface Stretch {
  readonly text: string;
  /** `python`: its fence says so, or names no language. */
  readonly code?: "python" | "other";
}

/** Blocks of one text; what follows them stays text. */
const MOST_BLOCKS = 100;

const FENCE = /^ {0,3}(`{3,}|~{3,}) {0,3}([\w+-]*)/;

/** The text in its order, as its stretches; put together they are the text. A fence without an end reaches to the end of the text. */
export function fencedStretches(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let open: { readonly mark: string; readonly code: "python" | "other" } | undefined;
  let from = 0;
  const end = (at: number): void => {
    if (at > from) stretches.push({ text: text.slice(from, at), ...(open && { code: open.code }) });
    from = at;
  };
  for (let at = 0; at < text.length && stretches.length < 2 * MOST_BLOCKS;) {
    const next = text.indexOf("\n", at) + 1 || text.length;
    const [, mark, language = ""] = FENCE.exec(text.slice(at, Math.min(next, at + 100))) ?? [];
    if (open === undefined && mark !== undefined) {
      end(next);
      open = { mark, code: /^(?:py(?:thon)?3?)?$/i.test(language) ? "python" : "other" };
    } else if (open !== undefined && mark?.startsWith(open.mark) === true && language === "") {
      end(at);
      open = undefined;
    }
    at = next;
  }
  end(text.length);
  return stretches;
}
