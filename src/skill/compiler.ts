import type { SkillCase } from "../model/case.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import type { Instrumented } from "./instrument.ts";
import type { PromptEquivalence } from "./prompt-effects.ts";

/**
 * What the TypeScript compiler does for a PF. It is slow to load and to warm up, so composition roots run it in a worker
 * and everything else asks through this port; it answers in the order it was asked.
 * A file that exceeds what one file may cost is answered with a diagnostic (HASP220; of a cases.yaml HASP300).
 */
export interface Compiler {
  /** The domains by whose actions and names files are checked, the default one first. Asked for late: they are large. */
  domains(): Promise<readonly DomainSpec[]>;
  /** Type errors (`TSnnnn`) and HASP's own rules (`HASP2xx`) of one `pf.ts`. */
  check(file: string, source: string): Promise<readonly Diagnostic[]>;
  /** JavaScript on the same lines and columns. */
  transpile(file: string, source: string): Promise<Checked<string>>;
  /** The copy that explains itself. */
  instrument(file: string, source: string): Promise<Checked<Instrumented>>;
  /** Whether a prompt could carry all that the PF says (SPEC §3, A+B). */
  promptEquivalence(file: string, source: string): Promise<PromptEquivalence>;
  /** Reads a cases.yaml. Not TypeScript's work, but that of tens of milliseconds, which the thread of an editor does not have. */
  parseCases(file: string, text: string): Promise<Checked<readonly SkillCase[]>>;
  close(): Promise<void>;
}
