import { defaultDomain, runnableDomains } from "../domains/registry.ts";
import { text, withDefault } from "./options.ts";

const runnable = runnableDomains().map(({ name }) => name);

/** Of commands whose policy answers questions. Another domain is refused with the reason (`runnableOrRefuse`). */
export const TASK_DOMAIN = withDefault(
  text("--domain <name>", `the kind of task: ${runnable.join(", ")}`),
  defaultDomain().name,
);
