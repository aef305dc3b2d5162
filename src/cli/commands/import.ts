import { Command, Option } from "commander";
import type { ImportedRun } from "../../trace/import-run.ts";
import { importRun } from "../../trace/import-run.ts";
import { systemClock } from "../../platform/clock.ts";
import { nodeFiles } from "../../platform/files.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

type Format = "reflexion" | "fireact";

function report(terminal: Terminal, value: ImportedRun, folder: string): void {
  const { correct, wrong, halted, unjudged } = value.outcomes;
  const judged = `${correct} correct, ${wrong} wrong, ${halted} halted`;
  terminal.line(`${value.episodes} episodes: ${judged}${unjudged > 0 ? `, ${unjudged} unjudged` : ""}`);
  if (value.invalidSteps > 0)
    terminal.line(`${value.invalidSteps} steps hold no readable action and stay as "invalid"`);
  terminal.line(`run written to ${folder}`);
}

async function runImport(
  source: string,
  options: { from: Format; output: string; json?: boolean },
): Promise<0 | 1 | 2> {
  const terminal = openTerminal(options.json === true);
  const interrupt = cancelOnInterrupt();
  const { value, diagnostics } = await importRun(nodeFiles(), systemClock, {
    format: options.from,
    source,
    folder: options.output,
    signal: interrupt.signal,
    onProgress: (p) => terminal.progress(p.readBytes, p.totalBytes, `${p.episodes} episodes`),
  }).finally(() => (terminal.endProgress(), interrupt.release()));
  terminal.diagnostics(diagnostics);
  terminal.result({ ...value, diagnostics });
  if (value === undefined) return EXIT.failed;
  report(terminal, value, options.output);
  if (diagnostics.length === 0) return EXIT.fine;
  terminal.line(`some lines were not imported: ${countDiagnostics(diagnostics)}`);
  return EXIT.findings;
}

/** `hasp import --from reflexion|fireact <file> -o <run>`. */
export function importCommand(setExit: SetExit): Command {
  return new Command("import")
    .description("Turn a trajectory file of another system into a run of episodes.")
    .argument("<file>", "the trajectory file, one episode a line")
    .addOption(
      new Option("--from <format>", "the format of the file")
        .choices(["reflexion", "fireact"])
        .makeOptionMandatory(),
    )
    .requiredOption("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/reflexion")
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp import --from reflexion trajectories.jsonl -o .hasp/runs/reflexion"))
    .action(async (file: string, options: { from: Format; output: string; json?: boolean }) => {
      setExit(await runImport(file, options));
    });
}
