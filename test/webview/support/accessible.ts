import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { THOROUGH } from "../../support/thorough.ts";

/** VS Code's own (webview/fixture/themes.css). */
const THEMES = ["dark", "light", "high-contrast", "high-contrast-light"] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown; readonly html: string }[];
}

let source: Promise<string> | undefined;

/** Runs in the page: waits for what fades in, whose colours are others meanwhile, and not for what goes on without an end. */
const FADED_IN = `async () => {
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? roots(one.shadowRoot) : []))];
  const fading = () => roots(document)
    .flatMap((root) => root.getAnimations())
    .filter(({ playState, effect }) => playState === "running" && effect.getComputedTiming().endTime !== Infinity);
  for (let all = fading(); all.length > 0; all = fading()) await Promise.allSettled(all.map(({ finished }) => finished));
}`;

const DRAWN = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await frame();
  await frame();
  await (${FADED_IN})();
})()`;

/** The texts that are too faint in each theme; it ends with the theme that is shown. */
const CONTRAST = `(async () => {
  const found = [];
  const shown = document.body.className;
  for (const theme of ${JSON.stringify(THEMES)}) {
    document.body.className = "vscode-" + theme;
    await (${FADED_IN})();
    found.push(...haspTooFaint().map((text) => "contrast in the theme " + theme + ": " + text));
  }
  document.body.className = shown;
  return [...new Set(found)];
})()`;

/** All rules but the contrast, which CONTRAST computes in each theme. */
const STRUCTURE = '{ resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } } }';

/** Runs in the page: whether something cuts the element off, of which axe takes the colour behind it for its own. */
const CUT_OFF = `(target) => {
  let element = document;
  for (const selector of target.flat()) element = (element.shadowRoot ?? element).querySelector(selector);
  const { top, bottom } = element.getBoundingClientRect();
  for (let at = element.parentElement; at !== null; at = at.parentElement ?? at.getRootNode().host ?? null) {
    const place = at.getBoundingClientRect();
    if (getComputedStyle(at).overflowY === "clip" && (bottom > place.bottom + 1 || top < place.top - 1)) return true;
  }
  return false;
}`;

/** axe runs by the page's debugger, past its policy; it reads shadow roots by itself. */
async function axeRun(page: Page, options: string): Promise<string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(await source);
  const found = await page.evaluate<Violation[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ target }) => id !== "color-contrast" || !(${CUT_OFF})(target)) })),
  )`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${JSON.stringify(node.target)} ${node.html}`),
  );
}

/**
 * The accessibility violations of the view. Themes differ in colours alone: axe looks at its
 * rules in the theme that is shown, and the contrast of the texts is computed in all.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(DRAWN);
  const found = [...(await axeRun(page, STRUCTURE)), ...(await page.evaluate<string[]>(CONTRAST))];
  if (THOROUGH) {
    for (const theme of THEMES.toReversed()) {
      await page.evaluate(`document.body.className = "vscode-${theme}"`);
      await page.evaluate(DRAWN);
      found.push(...(await axeRun(page, '{ runOnly: ["color-contrast"] }')));
    }
  }
  return found;
}
