import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";

/** Ends a use case from within, with the diagnostics that say why. `checked` turns it into a value; it never leaves `app/`. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.at(-1)?.message ?? "The input cannot be used.");
    this.diagnostics = diagnostics;
  }
}

/** The value; without one, the end of the use case with its diagnostics, the deciding one last. */
export function need<T>({ value, diagnostics }: Checked<T>): T {
  if (value === undefined) throw new Refusal(diagnostics);
  return value;
}

/** As `need`; what else is found with the value is added to `found`. */
export function take<T>(result: Checked<T>, found: Diagnostic[]): T {
  const value = need(result);
  found.push(...result.diagnostics);
  return value;
}

/** A result without a value: one error, of the whole file where one is named. */
export function failed(
  code: string,
  message: string,
  next: string,
  file?: string,
): { readonly value: undefined; readonly diagnostics: readonly Diagnostic[] } {
  const place = { ...(file !== undefined && { file }), range: START_OF_FILE };
  return { value: undefined, diagnostics: [{ code, severity: "error", message, next, ...place }] };
}

/** Ends the use case with one error. */
export function refuse(...problem: Parameters<typeof failed>): never {
  throw new Refusal(failed(...problem).diagnostics);
}

/** Runs a use case that adds what it finds to `found`; a refusal within it becomes a result without a value. */
export async function checked<T>(work: (found: Diagnostic[]) => Promise<T>): Promise<Checked<T>> {
  const found: Diagnostic[] = [];
  try {
    return { value: await work(found), diagnostics: found };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { value: undefined, diagnostics: [...found, ...error.diagnostics] };
  }
}
