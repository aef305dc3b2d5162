import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { SWITCHES } from "../../../scripts/lib/browser.mts";
import { findChromium } from "../../../scripts/lib/system-packages.mts";
import { buildSite } from "./build.ts";
import { serve } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** `http://127.0.0.1:<port>` of the fixture pages. */
    readonly origin: string;
    /** Address of the Chromium that all files share. */
    readonly chromium: string;
  }
}

/** One Chromium and one site for all test files: each opens pages in contexts of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("No Chromium found: run `npm run setup`.");
  const [server, browser] = await Promise.all([
    buildSite().then(serve),
    chromium.launchServer({ executablePath, args: SWITCHES }),
  ]);
  project.provide("origin", server.origin);
  project.provide("chromium", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
