import { counted } from "../../model/counted.ts";
import { importEpisodes, type FollowedImport } from "../../app/import-episodes.ts";
import { importOrdered } from "../../app/import-ordered.ts";
import { runnableDomains } from "../../domains/registry.ts";
import type { LedgerEntry } from "../../trace/formats/ledger.ts";
import { IMPORT_FORMATS, type ImportFormat } from "../../trace/formats/formats.ts";
import type { ImportedFile } from "../../trace/import-counts.ts";
import type { ImportedRun } from "../../trace/import-run.ts";
import { systemClock } from "../../platform/clock.ts";
import { sha256 } from "../../platform/sha256.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { countDiagnostics, countOutcomes } from "../format-diagnostic.ts";
import { interruptible } from "../interrupt.ts";
import { flag, needed, oneOf, text } from "../options.ts";
import { convertSkill } from "../portable-skill.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";

const OPTIONS = {
  from: oneOf(
    "--from <format>",
    "the format, where it is not recognised",
    Object.keys(IMPORT_FORMATS) as ImportFormat[],
  ),
  domain: oneOf(
    "--domain <name>",
    "of recorded answers: the kind of task, whose prompt says how a solution is read; meant for domains that answer in one step",
    runnableDomains().map(({ name }) => name),
  ),
  questions: text(
    "--questions <file>",
    "of recorded answers: question and gold by id, for rows without them",
  ),
  verdicts: text(
    "--verdicts <file>",
    "who succeeded, by somebody else's judgement: CSV or JSON lines with `id` and `passed`",
  ),
  output: needed(text("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/reflexion")),
  portable: flag(
    "--portable",
    "the argument is a skill folder that `hasp export --portable` wrote; -o is the folder above",
  ),
};

function describeEntries(entries: readonly LedgerEntry[], arrow: string): string {
  const words = entries.map(
    ({ what, to, times }) => `${what}${times > 1 ? ` ×${times}` : ""} ${arrow} ${to}`,
  );
  return words.join("; ").replaceAll(/\s+/g, " ");
}

function reportFile(terminal: Terminal, { file, format, episodes, ...rest }: ImportedFile): void {
  terminal.line(`${file}: ${format}, ${counted(episodes, "episode")}`);
  for (const fate of ["mapped", "kept", "dropped", "unknown"] as const) {
    const words = describeEntries(rest[fate], fate === "dropped" || fate === "unknown" ? "—" : "→");
    if (words !== "") terminal.line(`  ${fate.padEnd(7)}  ${words}`);
  }
}

function report(terminal: Terminal, value: ImportedRun, folder: string): void {
  for (const file of value.files) reportFile(terminal, file);
  terminal.line(countOutcomes(value.episodes, value.outcomes));
  if (value.invalidSteps > 0)
    terminal.line(`${value.invalidSteps} steps hold no readable action and stay as "invalid"`);
  terminal.line(`run written to ${folder}`);
}

/** Brings back a skill that `hasp export --portable` wrote, with its keys under `metadata.hasp` again. */
async function runSkill(
  { options: { from, output }, terminal }: Call<typeof OPTIONS>,
  [skill, ...more]: readonly string[],
): Promise<ExitCode> {
  if (skill === undefined || more.length > 0 || from !== undefined)
    throw new CliError("--portable brings back one skill.", "Name its folder and nothing else.");
  return convertSkill(skill, output, "hasp", terminal);
}

async function runImport(
  {
    options: { from: format, output: folder, domain, questions, verdicts },
    terminal,
    files,
  }: Call<typeof OPTIONS>,
  sources: readonly string[],
): Promise<ExitCode> {
  const services = {
    importRun: (order: FollowedImport) => importOrdered(files, { clock: systemClock, sha256 }, order),
    asOnlyWriter,
  };
  const { value, diagnostics } = await interruptible(terminal, (signal, on) =>
    importEpisodes({ format, sources, folder, domain, questions, verdicts }, { ...services, signal, on }),
  );
  terminal.diagnostics(diagnostics);
  terminal.result({ ...value, diagnostics });
  if (value === undefined) return EXIT.failed;
  report(terminal, value, folder);
  if (diagnostics.every(({ severity }) => severity === "information")) return EXIT.fine;
  terminal.line(`not everything was imported: ${countDiagnostics(diagnostics)}`);
  return EXIT.findings;
}

function formatList(): readonly string[] {
  const width = Math.max(...Object.keys(IMPORT_FORMATS).map((name) => name.length));
  return Object.entries(IMPORT_FORMATS).map(([name, words]) => `  ${name.padEnd(width)}  ${words}`);
}

/** `hasp import <file…> -o <run>`. */
export const importCommand = defineCommand({
  name: "import",
  about:
    "Turn trajectory files of other systems into a run of episodes. The format is found by the content. With --portable, a skill comes back.",
  takes: [["<file...>", "the files; all their episodes go into one run"]],
  options: OPTIONS,
  section: ["Formats:", ...formatList()],
  examples: [
    "hasp import trajectories.jsonl -o .hasp/runs/reflexion",
    "hasp import *.traj.json --verdicts results.csv -o .hasp/runs/benchmark",
    "hasp import --from answers answers.jsonl --domain web-search --questions questions.jsonl -o .hasp/runs/answers",
  ],
  run: (call, files: readonly string[]) =>
    call.options.portable === true ? runSkill(call, files) : runImport(call, files),
});
