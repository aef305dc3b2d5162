import { Command } from "commander";
import {
  describeTrainer,
  INSTALLED_GB,
  installTrainer,
  isInstalled,
  unmet,
  type TrainerState,
} from "../../platform/trainer-install.ts";
import { variables } from "../../platform/surroundings.ts";
import { choosePython, trainerFolder } from "../../platform/trainer-python.ts";
import { need } from "../checked.ts";
import { confirm } from "../confirm.ts";
import { defineCommand, type CommandContext } from "../define-command.ts";
import { helpText } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { flag, text } from "../options.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import { trainerOfBuild } from "../trainer-of-build.ts";

function reportState(terminal: Terminal, { python, version, packages, gpus }: TrainerState): void {
  terminal.line(`python        ${version}  ${python}`);
  for (const { name, version: has, wanted } of packages) {
    const note = has === undefined || wanted === undefined || has === wanted ? "" : `  (${wanted} wanted)`;
    terminal.line(`${name.padEnd(13)} ${has ?? "–"}${note}`);
  }
  if (gpus.length === 0) terminal.line("GPU           none that PyTorch can use: training runs on the CPU");
  for (const { name, gb } of gpus) terminal.line(`GPU           ${name}, ${gb} GB`);
}

const PYTHON = { python: text("--python <file>", "the Python of an environment of your own") };

const installCommand = defineCommand({
  name: "install",
  about: "Install the packages of the trainer (PyTorch, TRL, PEFT) for this user.",
  options: { yes: flag("--yes", "do not ask") },
  examples: ["hasp trainer install"],
  async run({ options: { yes }, terminal }) {
    const trainer = trainerOfBuild(__filename);
    const folder = trainerFolder();
    if (isInstalled(trainer)) {
      terminal.line(`Installed already: ${folder}`);
      terminal.result({ folder, installed: true });
      return EXIT.fine;
    }
    terminal.line(`PyTorch, Transformers, TRL, PEFT and what they need: ${INSTALLED_GB} GB in ${folder}`);
    if (!(await confirm(terminal, "Download and install them?", yes))) {
      terminal.line("Nothing was installed.");
      terminal.result({ folder, installed: false });
      return EXIT.findings;
    }
    const { python } = await interruptible(terminal, async (signal) => {
      const onLine = (line: string): void => terminal.line(`  ${line}`);
      return need(await installTrainer({ trainer, environment: variables(), signal, onLine }));
    });
    terminal.line(`Installed. See what is there: hasp trainer check`);
    terminal.result({ folder, python, installed: true });
    return EXIT.fine;
  },
});

const checkCommand = defineCommand({
  name: "check",
  about: "Show versions and GPUs of the environment in which jobs train; exit code 1 where it cannot.",
  options: PYTHON,
  examples: ["hasp trainer check"],
  async run({ options: { python: option }, terminal }) {
    const trainer = trainerOfBuild(__filename);
    const { python, from } = need(choosePython({ option, environment: variables() }));
    const state = need(await describeTrainer(trainer, python, variables()));
    const problems = unmet(state);
    reportState(terminal, state);
    for (const problem of problems) terminal.line(`! ${problem}`);
    if (problems.length > 0)
      terminal.line("    → Run `hasp trainer install`, or bring that environment in line.");
    terminal.result({ ...state, from, problems });
    return problems.length === 0 ? EXIT.fine : EXIT.findings;
  },
});

const pathCommand = defineCommand({
  name: "path",
  about: "Print the Python that jobs start.",
  options: PYTHON,
  examples: ["uv pip list --python $(hasp trainer path)"],
  run({ options: { python: option }, terminal }) {
    const chosen = need(choosePython({ option, environment: variables() }));
    terminal.line(chosen.python);
    terminal.result(chosen);
    return EXIT.fine;
  },
});

/** `hasp trainer install|check|path`. */
export function trainerCommand(context: CommandContext): Command {
  const command = new Command("trainer").description(
    "The Python environment in which jobs train and serve models (docs/trainer.md).",
  );
  for (const sub of [installCommand, checkCommand, pathCommand]) command.addCommand(sub(context));
  return command.addHelpText("after", helpText("hasp trainer install", "hasp trainer check"));
}
