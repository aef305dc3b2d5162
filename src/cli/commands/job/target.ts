import { Command } from "commander";
import type { Probe } from "../../../jobs/remote/replies.ts";
import type { TargetCheck } from "../../../jobs/remote/test-target.ts";
import { bytesInWords } from "../../../model/bytes-in-words.ts";
import { counted } from "../../../model/counted.ts";
import { hostOf, type NamedTarget } from "../../../model/target.ts";
import type { NodeFiles } from "../../../platform/files.ts";
import { jobBuild } from "../../../platform/local-jobs.ts";
import { lookAtTarget, prepareTarget } from "../../../platform/remote/prepare-target.ts";
import { variables } from "../../../platform/surroundings.ts";
import { isTargetAllowed } from "../../../platform/remote/target-consent.ts";
import { defineCommand, type CommandContext } from "../../define-command.ts";
import { helpText } from "../../help.ts";
import { withWords } from "../../job-folders.ts";
import { flag, texts } from "../../options.ts";
import { renderTable } from "../../table.ts";
import { configuredTargets, LOCAL, needAllowed, targetLines, targetNamed } from "../../targets.ts";
import { CliError, EXIT, type Terminal } from "../../terminal.ts";

const YES = { yes: flag("--yes", "do not ask whether the target may be used") };
const NAME = [["<name>", "a target of hasp.yaml"]] as const;

async function remoteNamed(files: NodeFiles, name: string): Promise<NamedTarget> {
  const named = await targetNamed(files, name);
  if (named !== undefined) return named;
  throw new CliError(`${LOCAL} is this machine.`, "See `hasp trainer check` for what it has.");
}

const jobsOf = (terminal: Terminal) => ({
  build: jobBuild(__filename),
  environment: variables(),
  on: (line: string) => terminal.line(`  ${line}`),
});

const listCommand = defineCommand({
  name: "list",
  about: "List the targets of hasp.yaml.",
  examples: ["hasp job target list"],
  async run({ files, terminal }) {
    const targets = (await configuredTargets(files)).map((named) => ({
      ...named,
      isAllowed: isTargetAllowed(named.target),
    }));
    const rows = targets.map(({ name, target, isAllowed }) => [
      name,
      target.kind,
      hostOf(target),
      target.folder,
      isAllowed ? "yes" : "not yet",
    ]);
    if (rows.length === 0) terminal.line("hasp.yaml names no target (docs/jobs.md).");
    else
      for (const line of renderTable(["name", "kind", "host", "folder", "allowed"], rows))
        terminal.line(line);
    terminal.result(targets);
    return EXIT.fine;
  },
});

const ABOUT: Readonly<Record<TargetCheck["name"], string>> = {
  reach: "it answers",
  jobs: "jobs can run there",
  training: "models can be trained and served there",
  scheduler: "SLURM takes a job",
};

function gpuWords(gpus: Probe["gpus"]): string {
  const [first] = gpus ?? [];
  if (gpus === null || first === undefined) return "none on the machine that answers";
  return `${counted(gpus.length, "GPU")}: ${first.name}, ${Math.round(first.memoryMb / 1024)} GB, driver ${first.driver}`;
}

function printProbe(
  terminal: Terminal,
  { host, root, freeBytes, version, python, node, slurm, gpus }: Probe,
): void {
  terminal.line(`machine  ${host}`);
  terminal.line(`folder   ${root}, ${bytesInWords(freeBytes)} free`);
  terminal.line(`Python   ${python ?? `${version.join(".")} answers; none to train with`}`);
  terminal.line(`Node     ${node ?? "comes with the first job"}`);
  if (slurm !== null) terminal.line(`SLURM    ${slurm}`);
  terminal.line(`GPU      ${gpuWords(gpus)}`);
}

const testCommand = defineCommand({
  name: "test",
  about:
    "See whether a target can be used: the connection, its programs, and a tiny job that SLURM looks at and does not book.",
  takes: NAME,
  options: YES,
  codes: ["it can be used", "something is missing"],
  examples: ["hasp job target test lab"],
  async run({ files, terminal, options }, name: string) {
    const named = await remoteNamed(files, name);
    await needAllowed(terminal, named, options.yes);
    const { probe, checks } = await lookAtTarget(jobsOf(terminal), named);
    if (probe !== undefined) printProbe(terminal, probe);
    for (const { name: check, problem } of checks) {
      terminal.line(`${problem === undefined ? "✓" : "✗"} ${problem?.message ?? ABOUT[check]}`);
      if (problem?.next !== undefined) terminal.line(`    → ${problem.next}`);
    }
    terminal.result({ name, target: named.target, probe, checks });
    return checks.every(({ problem }) => problem === undefined) ? EXIT.fine : EXIT.findings;
  },
});

const allowCommand = defineCommand({
  name: "allow",
  about: "Show a target of hasp.yaml, and say yes to it once: jobs are then sent there without a question.",
  takes: NAME,
  options: YES,
  examples: ["hasp job target allow lab"],
  async run({ files, terminal, options }, name: string) {
    const named = await remoteNamed(files, name);
    if (isTargetAllowed(named.target)) for (const line of targetLines(named)) terminal.line(line);
    await needAllowed(terminal, named, options.yes);
    terminal.line(`${name} may be used.`);
    terminal.result({ ...named, isAllowed: true });
    return EXIT.fine;
  },
});

const prepareCommand = defineCommand({
  name: "prepare",
  about:
    "Make the environment of a target now, and download models there; the first job then begins at once.",
  takes: NAME,
  options: { model: texts("--model <name...>", "models of the hub to download"), ...YES },
  examples: ["hasp job target prepare lab --model Qwen/Qwen2.5-7B-Instruct"],
  async run({ files, terminal, options }, name: string) {
    const named = await remoteNamed(files, name);
    await needAllowed(terminal, named, options.yes);
    const made = await withWords(async () => prepareTarget(jobsOf(terminal), named, options.model ?? []));
    terminal.line(`Python   ${made.python ?? "none"}`);
    terminal.line(`Node     ${made.node}`);
    terminal.result({ name, ...made, models: options.model ?? [] });
    return EXIT.fine;
  },
});

/** `hasp job target list|test|allow|prepare`. */
export function targetCommand(context: CommandContext): Command {
  const command = new Command("target").description(
    "The machines and clusters that jobs are sent to (docs/jobs.md).",
  );
  for (const sub of [listCommand, testCommand, allowCommand, prepareCommand])
    command.addCommand(sub(context));
  return command.addHelpText("after", helpText("hasp job target test lab"));
}
