import type { HtmlToTextOptions } from "html-to-text";

/** What surrounds a page's own text on most sites. */
const LEFT_OUT = [
  "img",
  "nav",
  "header",
  "footer",
  "aside",
  "form",
  "button",
  "iframe",
  "svg",
  "noscript",
  "template",
];
/** Characters of markup that are looked at: some seconds for what is made to be slow, far more than the text that is kept. */
const LONGEST_MARKUP = 1_000_000;
/** Elements inside elements that are looked at; pages have some thirty. */
const DEEPEST = 200;

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  // `main` or `article` where a page has one; else `body`, and where that is missing, all of it.
  baseElements: { selectors: ["main", "article", "body"], orderBy: "selectors", returnDomByDefault: true },
  limits: { maxDepth: DEEPEST, maxBaseElements: 1, ellipsis: "" },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    ...LEFT_OUT.map((selector) => ({ selector, format: "skip" })),
  ],
};

/** The words of a page as a person reads them: without markup, scripts, menus and link targets. */
export async function htmlText(html: string): Promise<string> {
  // 30 ms to load, for those who read pages alone.
  const { convert } = await import("html-to-text");
  return convert(html.slice(0, LONGEST_MARKUP), OPTIONS)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** The words of a piece of markup, on one line: what search engines send as a snippet. */
export async function markupLine(markup: string): Promise<string> {
  return (await htmlText(markup)).replaceAll(/\s+/g, " ").trim();
}
