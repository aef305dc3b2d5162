export const MATHML = "http://www.w3.org/1998/Math/MathML";

/** A formula of `LONGEST_FORMULA` characters has fewer; expansions give more, and slow down the page. */
const MOST_ELEMENTS = 4_000;
/** Elements inside each other; a browser lays them out by recursion. */
const DEEPEST = 80;

/** Em of one width; a formula that is wider as a whole is scrolled. */
const WIDEST = 20;
/** Em of any other size: a rule, a raised part, the space between rows. `\Bigg` has 3. */
const TALLEST = 3;

/** About the em of one unit. */
const UNITS: Readonly<Record<string, number>> = {
  em: 1,
  ex: 0.5,
  pt: 0.1,
  px: 0.08,
  mm: 0.3,
  cm: 3,
  in: 7.2,
};
const SIZE = /(-?[\d.]+)(em|ex|pt|px|mm|cm|in)(?![a-z])/g;

/** Sizes of an attribute in em, those of its styles included. */
function sizesIn(value: string): readonly number[] {
  return [...value.matchAll(SIZE)].map(([, size, unit = ""]) => Number(size) * (UNITS[unit] ?? Infinity));
}

/** Whether an element stays in the flow of the text, and all its sizes are those of a formula. */
function staysInLine(element: Element): boolean {
  return [...element.attributes].every(({ name, value }) => {
    const most = name === "width" ? WIDEST : TALLEST;
    const isInFlow = name !== "style" || !value.includes("position");
    return isInFlow && sizesIn(value).every((size) => Math.abs(size) <= most);
  });
}

/** MathML alone, without addresses, of a size that a browser lays out at once, and that stays in its line. */
export function isSafe(math: Element): boolean {
  let count = 0;
  let level: Element[] = [math];
  for (let depth = 1; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > DEEPEST || count > MOST_ELEMENTS) return false;
    if (level.some((one) => one.namespaceURI !== MATHML || one.hasAttribute("href"))) return false;
    if (!level.every(staysInLine)) return false;
    level = level.flatMap((one) => [...one.children]);
  }
  return true;
}

/** Leaves a formula the colours of the text around it: one of its own may be unreadable, or invisible. */
export function removeColours(math: Element): void {
  for (const one of math.querySelectorAll<MathMLElement>("*")) {
    one.removeAttribute("mathcolor");
    // A rule is the background of a space.
    if (one.localName !== "mspace") one.removeAttribute("mathbackground");
    else if (one.hasAttribute("mathbackground")) one.setAttribute("mathbackground", "currentColor");
    one.style.removeProperty("color");
    one.style.removeProperty("border-color");
  }
}

/** Removes negative spaces, as `\!`: they would lay a formula over the text before it, or the text after it over the formula. */
export function removeNegativeSpaces(math: Element): void {
  for (const one of math.querySelectorAll<MathMLElement>("[style*=margin]"))
    one.style.removeProperty("margin-left");
}
