import type { TestProject } from "vitest/node";
import { prepareRealModel, startRealModel } from "../../../scripts/lib/real-model.mts";

/** The model that all files ask, by its address with `/v1`; or why there is none. */
type TheModel = { readonly url: string } | { readonly missing: string };

declare module "vitest" {
  interface ProvidedContext {
    readonly model: TheModel;
  }
}

/** Serves the model. Fails where it is installed and does not answer. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const missing = await prepareRealModel();
  if (missing !== undefined) {
    project.provide("model", { missing });
    return undefined;
  }
  const model = await startRealModel();
  project.provide("model", { url: model.url });
  return () => model.stop();
}
