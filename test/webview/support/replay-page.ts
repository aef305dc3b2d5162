import type { Locator, Page } from "playwright-core";

/** The replay view as a person sees it. The same locators work on a page and inside VS Code's frames. */
export interface ReplayPage {
  readonly rows: Locator;
  readonly selectedRow: Locator;
  readonly total: Locator;
  readonly filterText: Locator;
  readonly question: Locator;
  readonly stepCount: Locator;
  readonly tabs: Locator;
  readonly selectedTab: Locator;
  readonly drawer: Locator;
  readonly drawerButton: Locator;
  readonly keys: Locator;
  readonly failure: Locator;
  readonly announcement: Locator;
  /** A row of the step: Thought, Proposed, Executed, Observation. */
  row(name: "thought" | "proposed" | "executed" | "observation"): Locator;
  recorded(skillId?: string): Locator;
  today(skillId?: string): Locator;
  section(
    name: "harness" | "injected" | "documents" | "prompt" | "completion" | "context" | "signals" | "cost",
  ): Locator;
  button(name: string | RegExp): Locator;
  press(...keys: string[]): Promise<void>;
}

export function replayPage(page: Page): ReplayPage {
  const cards = (of: "recorded" | "today", skillId?: string): Locator =>
    page
      .locator(`.pf:is([data-of=${of}], [data-of=both])`)
      .and(page.locator(skillId === undefined ? ".pf" : `[data-skill="${skillId}"]`));
  return {
    rows: page.getByRole("option").and(page.locator(".row")),
    selectedRow: page.locator(".row[aria-selected=true]"),
    total: page.locator("hasp-episode-list .total"),
    filterText: page.locator("vscode-textfield input"),
    question: page.locator(".episode-header h1"),
    stepCount: page.locator(".step-count"),
    tabs: page.getByRole("tab"),
    selectedTab: page.locator("[role=tab][aria-selected=true]"),
    drawer: page.locator("#drawer"),
    drawerButton: page.locator(".drawer-button"),
    keys: page.getByRole("region", { name: "Keys" }),
    failure: page.locator(".failure"),
    announcement: page.locator(".for-readers[aria-live]"),
    row: (name) => page.locator(`.row.${name}`),
    recorded: (skillId) => cards("recorded", skillId),
    today: (skillId) => cards("today", skillId),
    section: (name) => page.locator(`[data-section=${name}]`),
    button: (name) => page.getByRole("button", { name }),
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
  };
}
