import type { Checked } from "../model/diagnostic.ts";
import { Failure } from "./failure.ts";
import type { WayOut } from "./notification.ts";

/** The value, or a failure with the diagnostic that decided, which is the last one. */
export function usable<T>({ value, diagnostics }: Checked<T>, ...ways: readonly WayOut[]): T {
  if (value !== undefined) return value;
  const why = diagnostics.at(-1);
  const message = why?.message ?? "It cannot be read.";
  const isNamed = why?.file === undefined || message.includes(why.file);
  throw new Failure(isNamed ? message : `${why.file}: ${message}`, why?.next ?? "Choose another.", ...ways);
}
