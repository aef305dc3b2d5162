import { Command, Option } from "commander";
import type { LedgerEntry } from "../../trace/formats/ledger.ts";
import { IMPORT_FORMATS, type ImportFormat } from "../../trace/formats/formats.ts";
import type { ImportedFile, ImportedRun, ImportRequest } from "../../trace/import-run.ts";
import { importRun } from "../../trace/import-run.ts";
import { systemClock } from "../../platform/clock.ts";
import { nodeFiles } from "../../platform/files.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { printable } from "../../model/printable.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { convertSkill } from "../portable-skill.ts";
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
  // Names of fields come from the file.
  return printable(words.join("; ")).replaceAll(/\s+/g, " ");
}

function reportFile(
  terminal: Terminal,
  { file, format, episodes, mapped, kept, dropped }: ImportedFile,
): void {
  terminal.line(`${file}: ${format}, ${episodes} episode${episodes === 1 ? "" : "s"}`);
  if (mapped.length > 0) terminal.line(`  mapped   ${describeEntries(mapped, "→")}`);
  if (kept.length > 0) terminal.line(`  kept     ${describeEntries(kept, "→")}`);
  if (dropped.length > 0) terminal.line(`  dropped  ${describeEntries(dropped, "—")}`);
}

function report(terminal: Terminal, value: ImportedRun, folder: string): void {
  const { correct, wrong, halted, unjudged } = value.outcomes;
  for (const file of value.files) reportFile(terminal, file);
  const judged = `${correct} correct, ${wrong} wrong, ${halted} halted`;
  terminal.line(`${value.episodes} episodes: ${judged}${unjudged > 0 ? `, ${unjudged} unjudged` : ""}`);
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
  const interrupt = cancelOnInterrupt();
  const request: ImportRequest = {
    format: options.from,
    sources,
    folder: options.output,
    signal: interrupt.signal,
    onProgress: (p) => terminal.progress(p.readBytes, p.totalBytes, `${p.episodes} episodes`),
  };
  const { value, diagnostics } = await asOnlyWriter(options.output, () =>
    importRun(nodeFiles(), systemClock, request),
  ).finally(() => (terminal.endProgress(), interrupt.release()));
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
