import type { BrowserContext } from "playwright-core";

/** A spinner that goes round draws sixty times a second, on the processor: one round of it is enough. */
export const STILL = "*, *::before, *::after { animation-iteration-count: 1 !important; }";

/** Adds rules to each document that the browser opens from now on, frames included. */
export async function addStyle(browser: BrowserContext, rules: string): Promise<void> {
  const content = `{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(rules)});
    document.adoptedStyleSheets.push(sheet);
  }`;
  await browser.addInitScript({ content });
}
