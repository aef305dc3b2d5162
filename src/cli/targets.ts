import { hostOf, type NamedTarget } from "../model/target.ts";
import type { NodeFiles } from "../platform/files.ts";
import { jobBuild } from "../platform/local-jobs.ts";
import { ownRecords } from "../platform/own-records.ts";
import { jobBackends, type JobBackends } from "../platform/remote/job-backends.ts";
import { allowTarget, isTargetAllowed } from "../platform/remote/target-consent.ts";
import { variables } from "../platform/surroundings.ts";
import { trainerPython } from "../platform/trainer-python.ts";
import { didYouMean } from "../skill/suggest.ts";
import { confirm } from "./confirm.ts";
import { readConfig, withoutErrors } from "./control-options.ts";
import { needPerson } from "./need-person.ts";
import { CliError, type Terminal } from "./terminal.ts";

/** The name of this machine among targets. */
export const LOCAL = "local";

/** The targets of `hasp.yaml`; what is wrong with it ends the command. */
export async function configuredTargets(files: NodeFiles): Promise<readonly NamedTarget[]> {
  return withoutErrors(await readConfig(files), "Fix hasp.yaml.").targets;
}

/** The target of this name in `hasp.yaml`; undefined for this machine. Throws CliError. */
export async function targetNamed(files: NodeFiles, name: string): Promise<NamedTarget | undefined> {
  if (name === LOCAL) return undefined;
  const targets = await configuredTargets(files);
  const found = targets.find((one) => one.name === name);
  if (found !== undefined) return found;
  if (targets.length === 0)
    throw new CliError(
      `hasp.yaml names no target, so there is no ${name}.`,
      `Add one: \`targets: { ${/^[\w.-]+$/.test(name) ? name : "lab"}: { kind: slurm, host: <as ssh takes it> } }\` (docs/jobs.md).`,
    );
  throw new CliError(
    `There is no target ${name}.`,
    didYouMean(name, [LOCAL, ...targets.map((one) => one.name)]),
  );
}

/** The parts of a target that decide what is started, and where, a line each. */
export function targetLines({ name, target }: NamedTarget): readonly string[] {
  const { kind, folder, setup = [], host: _host, ...rest } = target;
  const others = Object.entries(rest).filter(([, value]) => value !== undefined);
  return [
    `target  ${name} (${kind})`,
    `host    ${hostOf(target)}`,
    `folder  ${folder}`,
    ...setup.map((line) => `setup   ${line}`),
    ...others.map(
      ([key, value]) => `${key.padEnd(11)} ${Array.isArray(value) ? value.join(" ") : String(value)}`,
    ),
  ];
}

/** Ends the command unless a person has said yes to this very target, once. */
export async function needAllowed(
  terminal: Pick<Terminal, "line" | "context">,
  named: NamedTarget,
  yes: boolean | undefined,
): Promise<void> {
  if (isTargetAllowed(named.target)) return;
  for (const line of targetLines(named)) terminal.line(line);
  needPerson();
  const question = `Send jobs to ${hostOf(named.target)}, and run them there as you?`;
  if (!(await confirm(terminal, question, yes)))
    throw new CliError(`The target ${named.name} was not allowed.`, "Nothing was sent.");
  allowTarget(named.target);
}

/** Jobs on this machine and on targets, for a command of this CLI. `python`: what `--python` names. */
export const cliBackends = (terminal: Pick<Terminal, "line">, python?: string): JobBackends =>
  jobBackends({
    build: jobBuild(__filename),
    environment: variables(),
    own: ownRecords(),
    python: async () => trainerPython({ option: python, environment: variables() }),
    isAllowed: ({ target }) => isTargetAllowed(target),
    on: (line) => terminal.line(`  ${line}`),
  });
