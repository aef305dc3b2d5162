import type { Checked } from "../model/diagnostic.ts";
import { RequestError } from "../protocol/connection.ts";

/** The value, or a failure in the words of the last finding, which says why there is none. A view and a command both show it. */
export function need<T>({ value, diagnostics }: Checked<T>): T {
  if (value !== undefined) return value;
  const last = diagnostics.at(-1);
  throw new RequestError(last?.message ?? "It cannot be read.", last?.next ?? "The log has the details.");
}
