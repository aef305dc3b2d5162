import type { BrowserContext } from "playwright-core";

/** A spinner that goes round draws sixty times a second, on the processor: one round of it is enough. */
export const STILL = "*, *::before, *::after { animation-iteration-count: 1 !important; }";

/** A script that adds rules to the document in which it runs. */
export const styleScript = (rules: string): string => `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(rules)});
  document.adoptedStyleSheets.push(sheet);
}`;

/** Adds rules to each document that the browser opens from now on, frames included. */
export async function addStyle(browser: BrowserContext, rules: string): Promise<void> {
  await browser.addInitScript({ content: styleScript(rules) });
}
