import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { EVOLVED_SCHEMA, evolvedCandidateSchema, type EvolvedCandidate } from "../model/evolution.ts";
import { jsonEntries } from "../trace/json-entries.ts";
import { evolutionPaths } from "./evolution-paths.ts";
import { libraryFailure } from "./generated-versions.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import type { LibraryFiles } from "./library-files.ts";

const MAX_BYTES = 200_000_000;

function badLine(file: string, line: number, why: string): Diagnostic {
  const at = { line, character: 0 };
  return {
    code: "HASP668",
    severity: "warning",
    message: `The line is no \`${EVOLVED_SCHEMA}\`: ${why}. It is left out.`,
    next: "Run the epoch again, or take the file from a copy.",
    file,
    range: { start: at, end: at },
  };
}

/** The candidates of one epoch, in order; none where there is no file. A line that cannot be read is left out (HASP668). */
export async function candidatesIn(
  files: Pick<SkillFiles, "readText">,
  file: string,
): Promise<{
  readonly candidates: readonly EvolvedCandidate[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const found = await files.readText(file, MAX_BYTES);
  if (found.kind === "absent") return { candidates: [], diagnostics: [] };
  if (found.kind === "too-large") {
    const message = `The file has ${(found.size / 1e6).toFixed(1)} MB; at most ${MAX_BYTES / 1e6} MB are read.`;
    const next = "Name another evolution.";
    const large = {
      code: "HASP668",
      severity: "warning",
      message,
      next,
      file,
      range: START_OF_FILE,
    } as const;
    return { candidates: [], diagnostics: [large] };
  }
  const candidates: EvolvedCandidate[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { line, value, problem } of jsonEntries(found.text)) {
    const read = evolvedCandidateSchema.safeParse(value);
    if (read.success) candidates.push(read.data);
    else {
      const [issue] = read.error.issues;
      const why = problem ?? `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "unreadable"}`;
      diagnostics.push(badLine(file, line, why));
    }
  }
  return { candidates, diagnostics };
}

/**
 * The decided candidates of an evolution, an entry for each of its epochs in order; one that decided on none is empty. HASP667 where no epoch
 * has candidates; a line that cannot be read is left out (HASP668). Rejects on I/O errors.
 */
export async function readEvolved(
  files: Pick<LibraryFiles, "readText" | "list">,
  evolution: string,
): Promise<Checked<readonly (readonly EvolvedCandidate[])[]>> {
  const numbers = (await files.list(evolution)).flatMap(
    (name) => /^epoch_([1-9]\d{0,5})$/.exec(name)?.[1] ?? [],
  );
  const epochs: (readonly EvolvedCandidate[])[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const number of numbers.map(Number).sort((a, b) => a - b)) {
    const read = await candidatesIn(files, evolutionPaths(evolution).epoch(number).candidates);
    epochs.push(read.candidates);
    diagnostics.push(...read.diagnostics);
  }
  if (epochs.some((candidates) => candidates.length > 0)) return { value: epochs, diagnostics };
  const next = "Name the folder of an evolution; its epochs are in `epoch_1`, `epoch_2` and so on.";
  const none = libraryFailure("HASP667", evolution, "There are no decided candidates here.", next);
  return { value: undefined, diagnostics: [...diagnostics, ...none.diagnostics] };
}
