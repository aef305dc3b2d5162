import { parseModelSpec } from "../llm/endpoint.ts";
import { keyVariable } from "../llm/keys.ts";
import { teacherOf } from "./commands.ts";
import type { ExperimentOrder } from "./order.ts";

/** Keys of the services that models and search results may come from. */
const HUB = ["HF_TOKEN"];
const SERPAPI = "SERPAPI_API_KEY";

/** Names of the variables with the keys that the jobs of an experiment need. */
export function keysOf(order: ExperimentOrder): readonly string[] {
  const models = [teacherOf(order), order.author].flatMap((spec) => {
    const named =
      spec === undefined ? undefined : parseModelSpec(spec, { isPlainHttpAllowed: () => true }).value;
    return named?.kind === "endpoint" ? (keyVariable(named.endpoint.origin) ?? []) : [];
  });
  const search = order.config.rollout.retriever === "serpapi" ? [SERPAPI] : [];
  return [...new Set([...models, ...search, ...HUB])];
}
