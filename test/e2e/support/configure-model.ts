import { clearNotices, notice } from "./notices.ts";
import { accept, answer, pick, runCommand } from "./palette.ts";
import type { Workbench } from "./workbench.ts";

export interface ModelChoice {
  readonly role: "Policy" | "Teacher";
  /** The address of an endpoint. */
  readonly url: string;
  /** Undefined: it needs none. */
  readonly key?: string;
  /** Undefined: the first that the endpoint lists; it lists none where one is given. */
  readonly model?: string;
  /** Dollars for a million tokens, in and out. */
  readonly price: string;
}

/** Configures a model by the wizard, without a call to test it. */
export async function configureModel(workbench: Workbench, choice: ModelChoice): Promise<void> {
  const { role, url, key, model, price } = choice;
  await runCommand(workbench, "HASP: Configure Model");
  await pick(workbench, "Role of the model", role);
  await pick(workbench, "Endpoint or chat model that answers", "Another endpoint");
  await answer(workbench, "Address of the endpoint", url);
  if (key === undefined) await accept(workbench, "Key for");
  else await answer(workbench, "Key for", key);
  if (model === undefined) await accept(workbench, "Model of the endpoint");
  else await answer(workbench, "Model, as the endpoint calls it", model);
  await answer(workbench, "Dollars for a million tokens", price);
  await pick(workbench, "Use http", "Keep it without a test");
  await notice(workbench, `The ${role.toLowerCase()} is`);
  await clearNotices(workbench);
}
