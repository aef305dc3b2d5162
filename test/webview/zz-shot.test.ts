import { test } from "vitest";
import { startWorkbench } from "./support/browser.ts";
test("shots", async () => {
  const w = await startWorkbench();
  for (const [name, query, width] of [["dark","theme=dark",1300],["light","theme=light",1300],["hc","theme=high-contrast",1300],["hcl","theme=high-contrast-light",1300],["narrow","theme=dark",420],["empty","state=empty&theme=light",900],["large","state=large",1300]] as const) {
    const { page, complaints, strays } = await w.open(query, { width, height: 820 }, "dashboard");
    await page.locator("h1").waitFor();
    if (name !== "empty") { await page.locator("hasp-curves").waitFor(); 
      if (name !== "large") for (const t of ["Qwen2.5-7B on a-sft, lr 1e-5", "Qwen2.5-7B on a-sft, lr 5e-5"]) await page.getByRole("checkbox", { name: t }).check();
    }
    await page.waitForTimeout(700);
    if (name === "dark") { await page.mouse.move(700, 400); await page.waitForTimeout(200); }
    if (name === "narrow") await page.screenshot({ path: `/tmp/w/shot-${name}-full.png` });
    await page.screenshot({ path: `/tmp/w/shot-${name}.png` });
    console.log(name, complaints, strays);
    await page.close();
  }
  await w.close();
}, 120000);
