import { checked, refuse } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { ExperimentEnd, ExperimentOrder, ExperimentServices } from "./order.ts";

/**
 * Runs an experiment job by job, or what is left of it: what its folder shows as done is not done again. No value where the order
 * cannot be carried out or a job fails. Rejects on I/O errors.
 */
export async function runExperiment(
  order: ExperimentOrder,
  _services: ExperimentServices,
): Promise<Checked<ExperimentEnd>> {
  return checked(async () => refuse("HASP680", `${order.name} cannot run yet.`, "Wait.", order.folder));
}
