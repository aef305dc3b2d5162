import { importEpisodes, type FollowedImport } from "../../app/import-episodes.ts";
import { importOrdered } from "../../app/import-ordered.ts";
import { runnableDomains } from "../../domains/registry.ts";
import { systemClock } from "../../platform/clock.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { sha256 } from "../../platform/sha256.ts";
import { IMPORT_FORMATS, type ImportFormat } from "../../trace/formats/formats.ts";
import { readReport } from "../../trace/stored-report.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { findingCounts, importFindings, importPage, storedFindings } from "../import-report.ts";
import { interruptible } from "../interrupt.ts";
import { flag, oneOf, text } from "../options.ts";
import { convertSkill } from "../portable-skill.ts";
import { CliError, EXIT, type ExitCode } from "../terminal.ts";

const NAME_FOLDER = "Name the run folder to make with -o, e.g. -o .hasp/runs/sessions.";
/** Reasons why nothing was imported that are printed unasked. */
const MOST_REFUSALS = 20;

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
  output: text("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/reflexion"),
  verbose: flag("--verbose", "list every finding, and for each file what became of its contents"),
  report: text("--report <run>", "import nothing, and print the report of the import that made this run"),
  portable: flag(
    "--portable",
    "the argument is a skill folder that `hasp export --portable` wrote; -o is the folder above",
  ),
};

/** Brings back a skill that `hasp export --portable` wrote, with its keys under `metadata.hasp` again. */
async function runSkill(
  { options: { from, output }, terminal }: Call<typeof OPTIONS>,
  [skill, ...more]: readonly string[],
): Promise<ExitCode> {
  if (skill === undefined || more.length > 0 || from !== undefined)
    throw new CliError("--portable brings back one skill.", "Name its folder and nothing else.");
  if (output === undefined) throw new CliError("Where to?", "Name the folder above the skill with -o.");
  return convertSkill(skill, output, "hasp", terminal);
}

async function runImport(
  { options, terminal, files }: Call<typeof OPTIONS>,
  sources: readonly string[],
): Promise<ExitCode> {
  const { from: format, output: folder, domain, questions, verdicts, verbose = false } = options;
  if (sources.length === 0) throw new CliError("Nothing to import.", "Name files, or folders of them.");
  if (folder === undefined) throw new CliError("Where to?", NAME_FOLDER);
  const services = {
    importRun: (order: FollowedImport) => importOrdered(files, { clock: systemClock, sha256 }, order),
    asOnlyWriter,
  };
  const { value, diagnostics } = await interruptible(terminal, (signal, on) =>
    importEpisodes({ format, sources, folder, domain, questions, verdicts }, { ...services, signal, on }),
  );
  terminal.result({ ...value, diagnostics });
  if (value === undefined) {
    const shown = verbose ? diagnostics : diagnostics.slice(0, MOST_REFUSALS);
    terminal.diagnostics(shown);
    if (diagnostics.length > shown.length)
      terminal.line(`… ${diagnostics.length - shown.length} more findings (--verbose lists them)`);
    return EXIT.failed;
  }
  for (const line of importFindings(diagnostics, value.findings, verbose)) terminal.line(line);
  for (const line of importPage(value, verbose)) terminal.line(line);
  terminal.line(`run written to ${folder}`);
  if (value.findings.every(({ severity }) => severity === "information")) return EXIT.fine;
  terminal.line(`not everything was imported: ${findingCounts(value.findings)}`);
  return EXIT.findings;
}

/** Prints the report that a run has of its import. */
async function showReport(
  { options: { report: run = "", verbose = false }, terminal, files }: Call<typeof OPTIONS>,
  given: readonly string[],
): Promise<ExitCode> {
  if (given.length > 0) throw new CliError("--report imports nothing.", "Leave the files out.");
  const report = need(await readReport(files, run));
  terminal.result(report);
  for (const line of [...importPage(report, verbose), ...storedFindings(report.findings)])
    terminal.line(line);
  return EXIT.fine;
}

function formatList(): readonly string[] {
  const width = Math.max(...Object.keys(IMPORT_FORMATS).map((name) => name.length));
  return Object.entries(IMPORT_FORMATS).map(([name, words]) => `  ${name.padEnd(width)}  ${words}`);
}

/** `hasp import <file|folder…> -o <run>`. */
export const importCommand = defineCommand({
  name: "import",
  about:
    "Turn trajectory files of other systems into a run of episodes. The format is found by the content; folders are searched for files of known formats. With --portable, a skill comes back.",
  takes: [["[path...]", "files and folders; all their episodes go into one run"]],
  options: OPTIONS,
  section: ["Formats:", ...formatList()],
  examples: [
    "hasp import trajectories.jsonl -o .hasp/runs/reflexion",
    "hasp import *.traj.json --verdicts results.csv -o .hasp/runs/benchmark",
    "hasp import ~/.claude/projects/-home-me-work -o .hasp/runs/sessions",
    "hasp import --report .hasp/runs/sessions",
    "hasp import --from answers answers.jsonl --domain web-search --questions questions.jsonl -o .hasp/runs/answers",
  ],
  run(call, given: readonly string[]) {
    if (call.options.report !== undefined) return showReport(call, given);
    return call.options.portable === true ? runSkill(call, given) : runImport(call, given);
  },
});
