import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type * as Loopback from "../../support/loopback-model.ts";

/** The server of `test/support`, loaded where it stands: it has a main part of its own that a bundle would run. */
export async function loopback(): Promise<typeof Loopback> {
  const file = join(__dirname, "../../test/support/loopback-model.ts");
  return (await import(pathToFileURL(file).href)) as typeof Loopback;
}
