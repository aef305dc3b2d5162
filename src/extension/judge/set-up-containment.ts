import process from "node:process";
import * as vscode from "vscode";
import {
  describeContainment,
  usedWay,
  type ContainmentState,
  type WayFound,
} from "../../platform/containment/describe-containment.ts";
import { makePackages } from "../../platform/containment/packages.ts";
import { fetchPyodide } from "../../platform/containment/pyodide-fetch.ts";
import { FETCH_NEXT } from "../../platform/containment/pyodide-installed.ts";
import { PYODIDE_PACKAGE, pyodideFolder } from "../../platform/containment/pyodide-files.ts";
import { askYes } from "../ask-yes.ts";
import { need } from "../checked.ts";
import { choose, group, type Row } from "../choose.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { buildOf } from "../experiments/trainer.ts";
import { inform, inNotification } from "../notification.ts";
import type { Services } from "../services.ts";
import { requireTrust } from "../workspace/trust.ts";

const TITLE = `HASP: ${COMMANDS.setUpContainment.title}`;
const PACKAGES = "numpy,pandas";

type Choice = "pyodide" | "packages";
type OnLine = (line: string) => void;
/** Sets one thing up, and says what is there now; undefined where the person leaves. */
type SetUp = (run: (title: string, work: Work) => Thenable<void>) => Promise<string | undefined>;
type Work = (signal: AbortSignal, onLine: OnLine) => Promise<void>;

function foundRow(label: string, way: WayFound): Row<never> {
  if (!way.works) {
    const detail = way.next === FETCH_NEXT ? "Choose Fetch Pyodide above, which asks first." : way.next;
    return { label: `$(circle-slash) ${label}`, description: way.why, detail };
  }
  const packages = way.packages.length === 0 ? "" : ` · ${way.packages.join(", ")}`;
  return { label: `$(check) ${label}`, description: `Python ${way.python}${packages}` };
}

function rowsOf({ bubblewrap, pyodide }: ContainmentState): readonly Row<Choice>[] {
  return [
    {
      label: "Fetch Pyodide",
      description: pyodide.works ? "installed" : "for systems without Bubblewrap",
      detail: `Python as WebAssembly: ${PYODIDE_PACKAGE.downloadMb} MB by npm`,
      value: "pyodide",
    },
    {
      label: "Install Python packages",
      description: "for programs in Bubblewrap",
      detail: "For questions that import more than the standard library",
      value: "packages",
    },
    group("Found here"),
    foundRow("Bubblewrap", bubblewrap),
    foundRow("Pyodide", pyodide),
  ];
}

const setUpPyodide: SetUp = async (run) => {
  const agreed = await askYes({
    title: TITLE,
    question: `${PYODIDE_PACKAGE.name}, ${PYODIDE_PACKAGE.downloadMb} MB, by the npm on the PATH`,
    yes: "Download and install",
    detail: `into ${pyodideFolder()}`,
  });
  if (!agreed) return undefined;
  await run("Fetching Pyodide", async (signal, onLine) => {
    need(await fetchPyodide({ environment: process.env, signal, onLine }));
  });
  return "Pyodide is installed.";
};

const setUpPackages =
  (context: vscode.ExtensionContext): SetUp =>
  async (run) => {
    const given = await vscode.window.showInputBox({
      title: TITLE,
      prompt: "Packages for programs in Bubblewrap, as uv takes them. They replace those that are there.",
      value: PACKAGES,
      ignoreFocusOut: true,
    });
    const names = given?.split(",").map((name) => name.trim());
    if (names === undefined) return undefined;
    const question = `Packages for programs in Bubblewrap: ${names.join(", ")}`;
    if (!(await askYes({ title: TITLE, question, yes: "Download and install" }))) return undefined;
    const { trainer } = buildOf(context);
    await run("Installing Python packages", async (signal, onLine) => {
      need(await makePackages({ names, trainer, environment: process.env, signal, onLine }));
    });
    return "The packages are installed.";
  };

const inProgress = (title: string, work: Work): Thenable<void> =>
  inNotification(`HASP: ${title}`, async (signal, _, remark) => {
    try {
      await work(signal, remark);
    } catch (error) {
      throw signal.aborted ? new vscode.CancellationError() : error;
    }
  });

/** `HASP: Set Up Containment…`: shows how programs can be judged here, and sets up what the person chooses. */
async function setUp(context: vscode.ExtensionContext): Promise<void> {
  requireTrust("Setting up containment");
  const chosen = await choose(TITLE, "What to set up", describeContainment().then(rowsOf), {
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return;
  const one = chosen === "pyodide" ? setUpPyodide : setUpPackages(context);
  const done = await one(inProgress);
  if (done === undefined) return;
  const used = usedWay(await describeContainment());
  inform(
    used === undefined
      ? `${done} Answers that are programs are still not judged here.`
      : `${done} Answers that are programs are judged in ${used}.`,
  );
}

export function registerSetUpContainment({
  editorServices: { log, context },
}: Pick<Services, "editorServices">): vscode.Disposable {
  return registerCommand(log, COMMANDS.setUpContainment, () => setUp(context));
}
