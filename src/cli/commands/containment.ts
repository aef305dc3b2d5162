import {
  describeContainment,
  usedWay,
  type WayFound,
} from "../../platform/containment/describe-containment.ts";
import { makePackages } from "../../platform/containment/packages.ts";
import { fetchPyodide } from "../../platform/containment/pyodide-fetch.ts";
import { PYODIDE_PACKAGE, pyodideFolder } from "../../platform/containment/pyodide-files.ts";
import { variables } from "../../platform/surroundings.ts";
import { need } from "../checked.ts";
import { confirm } from "../confirm.ts";
import { defineCommand } from "../define-command.ts";
import { interruptible } from "../interrupt.ts";
import { needPerson } from "../need-person.ts";
import { flag, text } from "../options.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import { trainerOfBuild } from "../trainer-of-build.ts";

const NAME_WIDTH = 12;

function reportWay(terminal: Terminal, label: string, way: WayFound): void {
  const head = label.padEnd(NAME_WIDTH);
  if (!way.works) {
    terminal.line(`${head}no: ${way.why}`);
    terminal.line(`    → ${way.next}`);
    return;
  }
  const packages = way.packages.length === 0 ? "" : `, packages: ${way.packages.join(", ")}`;
  terminal.line(`${head}yes: ${way.name}, Python ${way.python}${packages}`);
}

interface Step {
  readonly question: string;
  readonly about: string;
  readonly run: (signal: AbortSignal, onLine: (line: string) => void) => Promise<void>;
}

const pyodideStep: Step = {
  about: `${PYODIDE_PACKAGE.name}: Python as WebAssembly, ${PYODIDE_PACKAGE.downloadMb} MB by npm, ${PYODIDE_PACKAGE.diskMb} MB in ${pyodideFolder()}`,
  question: "Fetch it?",
  async run(signal, onLine) {
    need(await fetchPyodide({ environment: variables(), signal, onLine }));
  },
};

function packagesStep(list: string): Step {
  const names = list.split(",").map((name) => name.trim());
  return {
    about: `Python packages for programs in Bubblewrap: ${names.join(", ")}. They replace those that are there.`,
    question: "Download and install them?",
    async run(signal, onLine) {
      const trainer = trainerOfBuild(__filename);
      need(await makePackages({ names, trainer, environment: variables(), signal, onLine }));
    },
  };
}

/** False where the person says no. */
async function done(terminal: Terminal, step: Step, yes: boolean | undefined): Promise<boolean> {
  terminal.line(step.about);
  if (!(await confirm(terminal, step.question, yes))) return false;
  await interruptible(terminal, (signal) => step.run(signal, (line) => terminal.line(`  ${line}`)));
  return true;
}

/** `hasp containment`. */
export const containmentCommand = defineCommand({
  name: "containment",
  about:
    "Show how answers that are programs can be judged here without harm, or set that up (docs/containment.md); exit code 1 where they cannot.",
  options: {
    pyodide: flag("--pyodide", "fetch Pyodide for this user: the way for systems without Bubblewrap"),
    packages: text(
      "--packages <names>",
      "install Python packages for programs in Bubblewrap: `numpy,pandas==2.2.3`",
    ),
    yes: flag("--yes", "do not ask"),
  },
  examples: ["hasp containment", "hasp containment --pyodide", "hasp containment --packages numpy"],
  async run({ options: { pyodide, packages, yes }, terminal }) {
    const steps = [
      ...(pyodide === true ? [pyodideStep] : []),
      ...(packages === undefined ? [] : [packagesStep(packages)]),
    ];
    if (steps.length > 0) needPerson();
    for (const step of steps) {
      if (await done(terminal, step, yes)) continue;
      terminal.line("Nothing was fetched.");
      terminal.result({ fetched: false });
      return EXIT.findings;
    }
    const state = await describeContainment();
    const used = usedWay(state);
    reportWay(terminal, "Bubblewrap", state.bubblewrap);
    reportWay(terminal, "Pyodide", state.pyodide);
    terminal.line(
      used === undefined
        ? "Answers that are programs are not judged here: no containment. HASP never runs them without one."
        : `Answers that are programs are judged in: ${used}`,
    );
    terminal.result({ ...state, used });
    return used === undefined ? EXIT.findings : EXIT.fine;
  },
});
