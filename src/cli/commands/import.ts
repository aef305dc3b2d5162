import { Command, Option } from "commander";
import { importEpisodes } from "../../app/import-episodes.ts";
import type { LedgerEntry } from "../../trace/formats/ledger.ts";
import { IMPORT_FORMATS, type ImportFormat } from "../../trace/formats/formats.ts";
import { importRun, type ImportedFile, type ImportedRun } from "../../trace/import-run.ts";
import { systemClock } from "../../platform/clock.ts";
import { nodeFiles } from "../../platform/files.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { countDiagnostics, countOutcomes } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { convertSkill } from "../portable-skill.ts";
import { counted } from "../table.ts";
import { CliError, EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

interface Options {
  readonly from?: ImportFormat;
  readonly output: string;
  /** The one argument is a skill in the portable form. */
  readonly portable?: boolean;
  readonly json?: boolean;
}

function describeEntries(entries: readonly LedgerEntry[], arrow: string): string {
  const words = entries.map(
    ({ what, to, times }) => `${what}${times > 1 ? ` ×${times}` : ""} ${arrow} ${to}`,
  );
  return words.join("; ").replaceAll(/\s+/g, " ");
}

function reportFile(terminal: Terminal, { file, format, episodes, ...ledger }: ImportedFile): void {
  terminal.line(`${file}: ${format}, ${counted(episodes, "episode")}`);
  for (const fate of ["mapped", "kept", "dropped"] as const) {
    const words = describeEntries(ledger[fate], fate === "dropped" ? "—" : "→");
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

/** A skill that `hasp export --portable` wrote, with its keys under `metadata.hasp` again. */
async function runSkill([skill, ...more]: readonly string[], options: Options): Promise<0 | 1> {
  if (skill === undefined || more.length > 0 || options.from !== undefined)
    throw new CliError("--portable brings back one skill.", "Name its folder and nothing else.");
  const { output, json } = options;
  return convertSkill(skill, { output, to: "hasp", ...(json !== undefined && { json }) });
}

async function runImport(sources: string[], options: Options): Promise<0 | 1 | 2> {
  const terminal = openTerminal(options.json === true);
  const order = { format: options.from, sources, folder: options.output };
  const { value, diagnostics } = await interruptible(terminal, (signal, on) =>
    importEpisodes(order, {
      importRun: (request) => importRun(nodeFiles(), systemClock, request),
      asOnlyWriter,
      signal,
      on,
    }),
  );
  terminal.diagnostics(diagnostics);
  terminal.result({ ...value, diagnostics });
  if (value === undefined) return EXIT.failed;
  report(terminal, value, options.output);
  if (diagnostics.every(({ severity }) => severity === "information")) return EXIT.fine;
  terminal.line(`not everything was imported: ${countDiagnostics(diagnostics)}`);
  return EXIT.findings;
}

function formatList(): string {
  const width = Math.max(...Object.keys(IMPORT_FORMATS).map((name) => name.length));
  const lines = Object.entries(IMPORT_FORMATS).map(([name, words]) => `  ${name.padEnd(width)}  ${words}`);
  return `\nFormats:\n${lines.join("\n")}\n`;
}

/** `hasp import <file…> -o <run>`. */
export function importCommand(setExit: SetExit): Command {
  return new Command("import")
    .description(
      "Turn trajectory files of other systems into a run of episodes. The format is found by the content. With --portable, a skill comes back.",
    )
    .argument("<file...>", "the files; all their episodes go into one run")
    .addOption(
      new Option("--from <format>", "the format, where it is not recognised").choices(
        Object.keys(IMPORT_FORMATS),
      ),
    )
    .requiredOption("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/reflexion")
    .option(
      "--portable",
      "the argument is a skill folder that `hasp export --portable` wrote; -o is the folder above",
    )
    .option("--json", "print the result as JSON")
    .addHelpText("after", formatList() + helpText("hasp import trajectories.jsonl -o .hasp/runs/reflexion"))
    .action(async (files: string[], options: Options) => {
      setExit(await (options.portable === true ? runSkill(files, options) : runImport(files, options)));
    });
}
