import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type * as Loopback from "../../support/loopback-model.ts";
import type * as Retriever from "../../support/loopback-retriever.ts";

/** A server of `test/support`, loaded where it stands: it has a main part of its own that a bundle would run. */
async function loaded(name: string): Promise<unknown> {
  const file = join(__dirname, "../../test/support", name);
  return import(pathToFileURL(file).href);
}

export async function loopback(): Promise<typeof Loopback> {
  return (await loaded("loopback-model.ts")) as typeof Loopback;
}

export async function loopbackSearch(): Promise<typeof Retriever> {
  return (await loaded("loopback-retriever.ts")) as typeof Retriever;
}
