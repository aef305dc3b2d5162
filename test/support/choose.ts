import type { FrameLocator, Locator, Page } from "playwright-core";

/** Chooses in one of the lists above the episodes, such as Outcome, what reads like `option`. */
export async function choose(
  place: Page | FrameLocator | Locator,
  list: string,
  option: RegExp,
): Promise<void> {
  const filters = place.getByRole("button", { name: /^Filters and order/ });
  if ((await filters.getAttribute("aria-expanded")) === "false") await filters.click();
  const select = place.getByRole("combobox", { name: list, exact: true });
  // By its value: a count may be added to the words meanwhile.
  const value = await select.locator("option").filter({ hasText: option }).first().getAttribute("value");
  await select.selectOption({ value: value ?? "" });
}
