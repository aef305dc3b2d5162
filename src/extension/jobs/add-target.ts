import * as vscode from "vscode";
import { readTargets } from "../../jobs/targets.ts";
import type { Checked } from "../../model/diagnostic.ts";
import { hostOf, type NamedTarget, type Target, TARGET_NAME, targetSchema } from "../../model/target.ts";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { plainLine } from "../experiments/words.ts";
import { inform } from "../notification.ts";
import { type Answer, askInTurn, BACK, type Place, step, type WizardStep } from "../in-turn.ts";
import { askChoice, askText, type Choice, choiceStep, textStep } from "../steps.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import type { JobBundles } from "./backends.ts";
import { type CheckedTarget, checkTarget, waysFor, whyOf } from "./check-target.ts";
import { sshHosts } from "./ssh-hosts.ts";
import { keepTarget, ownTargets } from "./targets.ts";
import { sayWorks } from "./test-target.ts";
import { targetWords } from "./words.ts";

const TITLE = `HASP: ${COMMANDS.addTarget.title}`;

type Kind = "ssh" | "slurm" | "slurm-here";

/** The answers so far; texts that may stay empty are "" then. */
interface Draft {
  readonly kind?: Kind;
  readonly host?: string;
  readonly folder?: string;
  readonly setup?: string;
  readonly partition?: string;
  readonly account?: string;
  readonly gpu?: string;
  readonly name?: string;
  readonly test?: boolean;
}

type Step = WizardStep<Draft>;

/** A target that was added. */
export interface AddedTarget extends NamedTarget {
  /** Undefined where it was not tested, or kept although its test failed. */
  readonly found: CheckedTarget | undefined;
}

const KINDS: readonly Choice<Kind>[] = [
  {
    label: "$(server) A machine over ssh",
    detail: "A server with GPUs; each job starts as soon as it is sent.",
    value: "ssh",
  },
  {
    label: "$(server-environment) A SLURM cluster over ssh",
    detail: "Jobs wait in its queue until they get a place.",
    value: "slurm",
  },
  {
    label: "$(vm) SLURM on this machine",
    detail: "This window runs on the login node of a cluster.",
    value: "slurm-here",
  },
];

const kindStep: Step = choiceStep("kind", () => ({ placeholder: "Kind of target", choices: KINDS }));

/** Why a text is no value of a field of a target. */
function problemOf(field: "host" | "folder" | "setup" | "partition", text: string): string | undefined {
  const value = field === "setup" ? [text] : text;
  return targetSchema.shape[field].safeParse(value).error?.issues[0]?.message.replace(/^must/, "It must");
}

/** In place of an answer: the host is typed. */
const OTHER = "";

async function askHost({ host }: Draft, at: Place): Promise<Answer<string>> {
  const known = sshHosts();
  const choices: Choice<string>[] = [
    ...known.map((alias) => ({ label: `$(terminal) ${alias}`, description: "~/.ssh/config", value: alias })),
    { label: "$(edit) Another host …", detail: "As ssh takes it: a name, or user@host.", value: OTHER },
  ];
  for (;;) {
    const active = host !== undefined && known.includes(host) ? host : undefined;
    const question = { placeholder: "Host, as ssh knows it", choices, active };
    const chosen = known.length === 0 ? OTHER : await askChoice(at, question);
    if (chosen !== OTHER) return chosen;
    const typed = await askText(at, {
      prompt: "Host as ssh takes it: an alias of ~/.ssh/config, or user@host",
      placeholder: "user@gpu-server",
      value: active === undefined ? (host ?? "") : "",
      validate: (text) => (text === "" ? "Name the host." : problemOf("host", text)),
    });
    if (typed !== BACK || known.length === 0) return typed;
  }
}

const hostStep: Step = step(askHost, (host) => ({ host }));

const folderStep: Step = textStep(
  ({ folder = "~/hasp" }) => ({
    prompt: "Folder there for programs, models and jobs, on a disk that all its nodes see",
    placeholder: "~/hasp",
    value: folder,
    validate: (text) => problemOf("folder", text),
  }),
  (folder) => ({ folder }),
);

const setupStep: Step = textStep(
  ({ setup = "" }) => ({
    prompt: "Line of sh before anything else there; leave it empty for none",
    placeholder: "module load python/3.12",
    value: setup,
    validate: (text) => (text === "" ? undefined : problemOf("setup", text)),
  }),
  (setup) => ({ setup }),
);

/** A text of SLURM that may stay empty. */
function slurmStep(field: "partition" | "account" | "gpu", prompt: string, placeholder: string): Step {
  return textStep(
    (draft) => ({
      prompt,
      placeholder,
      value: draft[field] ?? "",
      validate: (text) => (/\s/.test(text) ? "It has no spaces." : undefined),
    }),
    (text) => ({ [field]: text }),
  );
}

const SLURM_STEPS: readonly Step[] = [
  slurmStep("partition", "Partition; leave it empty for the cluster's own default", "gpu"),
  slurmStep("account", "Account that pays; leave it empty for your default", "my-lab"),
  slurmStep("gpu", "Kind of GPU as the cluster names it; leave it empty for any", "l40s"),
];

/** A name for a host that nothing else has. */
function freeName({ host = "cluster" }: Draft, taken: ReadonlySet<string>): string {
  const plain = host
    .replace(/^.*@/, "")
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[^a-zA-Z0-9]+/, "");
  const stem = plain === "" ? "target" : plain.slice(0, 60);
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!taken.has(name)) return name;
  }
}

function nameStep(taken: ReadonlySet<string>): Step {
  return textStep(
    (draft) => ({
      prompt: "Name of the target, by which you choose it",
      placeholder: freeName(draft, taken),
      value: draft.name ?? freeName(draft, taken),
      validate: (text) =>
        taken.has(text)
          ? "There is a target of this name."
          : TARGET_NAME.test(text)
            ? undefined
            : "A name has letters, digits, `.`, `-` and `_` alone.",
    }),
    (name) => ({ name }),
  );
}

/** The target of the answers. Throws where one is missing: the wizard asks for all. */
function targetOf({ kind, host, folder, setup, partition, account, gpu }: Draft): Target {
  const optional = Object.entries({ partition, account, gpu }).filter(([, text]) => (text ?? "") !== "");
  return targetSchema.parse({
    kind: kind === "ssh" ? "ssh" : "slurm",
    ...(kind !== "slurm-here" && { host }),
    folder,
    ...((setup ?? "") !== "" && { setup: [setup] }),
    ...(kind !== "ssh" && Object.fromEntries(optional)),
  });
}

const testStep: Step = choiceStep("test", (draft) => ({
  placeholder: targetWords({ name: draft.name ?? "", target: targetOf(draft) }),
  choices: [
    {
      label: "$(plug) Test and save",
      detail: "Logs in once by ssh, and looks at programs, GPUs and free space; no job is started.",
      value: true,
    },
    { label: "$(save) Save without a test", value: false },
  ],
}));

function stepsFor({ kind }: Draft, taken: ReadonlySet<string>): readonly Step[] {
  return [
    kindStep,
    ...(kind === "slurm-here" ? [] : [hostStep]),
    folderStep,
    setupStep,
    ...(kind === "ssh" ? [] : SLURM_STEPS),
    nameStep(taken),
    testStep,
  ];
}

interface Answers extends NamedTarget {
  readonly test: boolean;
  readonly draft: Draft | undefined;
}

/** The argument from code, without the wizard: `{ name, target, test }`. */
function given(argument: unknown): Answers | undefined {
  const { name, target, test } = fieldsOf(argument);
  if (typeof name !== "string" || target === undefined || typeof test !== "boolean") return undefined;
  const { value, diagnostics } = readTargets({ [name]: target });
  const [read] = value;
  return { ...usable({ value: read, diagnostics }), test, draft: undefined };
}

async function ask(begun: Draft): Promise<Answers | undefined> {
  const taken = new Set(ownTargets().value.map(({ name }) => name));
  const draft = await askInTurn<Draft>(TITLE, begun, (known) => stepsFor(known, taken));
  if (draft?.name === undefined) return undefined;
  return { name: draft.name, target: targetOf(draft), test: draft.test === true, draft };
}

/** The answer to a failed test: to correct the target, to keep it as it is, or to leave. */
async function afterFailure(
  log: vscode.LogOutputChannel,
  named: Answers,
  failed: Checked<CheckedTarget>,
): Promise<"correct" | "keep" | undefined> {
  const why = whyOf(failed);
  log.error(`The test of ${named.name} (${hostOf(named.target)}) failed`, `${why.code} ${why.message}`);
  const [correct, keep] = ["Correct", "Save Anyway"];
  const ways = waysFor(named, why);
  const text = plainLine(
    `${named.name} was not saved, because its test failed: ${why.message} ${why.next ?? ""}`,
  );
  const labels = [correct, keep, ...ways.map(({ label }) => label)];
  const choice = await vscode.window.showErrorMessage(text, ...labels);
  if (choice === correct) return "correct";
  if (choice === keep) return "keep";
  const way = ways.find(({ label }) => label === choice);
  if (way === undefined) return undefined;
  if ("press" in way) await way.press();
  else await vscode.commands.executeCommand(way.command, ...(way.arguments ?? []));
  // The message is gone with its button: it is shown again for when that is done.
  return afterFailure(log, named, failed);
}

/** `HASP: Add Target`: asks, tests after a yes, and keeps the target in the person's own settings. */
export async function addTarget(bundles: JobBundles, argument: unknown): Promise<AddedTarget | undefined> {
  const { log } = bundles.editorServices;
  let answers = given(argument) ?? (await ask({}));
  while (answers !== undefined) {
    const { name, target } = answers;
    const tested = answers.test ? await checkTarget(bundles, answers) : undefined;
    const how =
      tested === undefined || tested.value !== undefined ? "keep" : await afterFailure(log, answers, tested);
    if (how === "keep") {
      await keepTarget({ name, target });
      log.info(`The target ${name} is kept in the settings`);
      if (tested?.value === undefined)
        inform(`The target ${name} is saved.`, wayTo(COMMANDS.testTarget, name));
      else sayWorks(log, answers, tested.value, "Saved. ");
      return { name, target, found: tested?.value };
    }
    answers = how === "correct" ? await ask(draftOf(answers)) : undefined;
  }
  return undefined;
}

/** The answers that would give a target. */
function draftOf({ name, target, draft }: Answers): Draft {
  if (draft !== undefined) return draft;
  const { kind, host, folder, setup = [], partition, account, gpu } = target;
  return {
    kind: kind === "slurm" && host === undefined ? "slurm-here" : kind,
    ...(host !== undefined && { host }),
    folder,
    setup: setup.join("; "),
    ...(partition !== undefined && { partition }),
    ...(account !== undefined && { account }),
    ...(gpu !== undefined && { gpu }),
    name,
  };
}
