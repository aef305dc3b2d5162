import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { readNamed } from "../../app/named-text.ts";
import { readCard } from "../../dataset/read-card.ts";
import type { DataCard } from "../../model/data-card.ts";
import type { Checked } from "../../model/diagnostic.ts";
import { TRAIN_FILES } from "../../model/train-data.ts";
import type { TrainingPage } from "../../protocol/training.ts";
import { choose } from "../choose.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { EPISODES } from "../runs/find-runs.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { type Desk, shownFindings, workspaceRoots } from "./desk.ts";
import { nameOfPath } from "./names.ts";
import type { PageActions, ShownPage } from "./panels.ts";
import { openSample, runPath } from "./row.ts";
import { showSignals } from "./signals.ts";

const CARD = ".card.json";
const TITLE = "HASP: Show Data Card";

const cardFile = (folder: string, { kind }: Pick<DataCard, "kind">): string => join(folder, `${kind}${CARD}`);

/** The key of the tab that shows a folder. */
export const folderKey = (folder: string): string => `folder:${folder}`;

async function readCardAt({ files }: Desk, path: string): Promise<Checked<DataCard>> {
  const { value, diagnostics } = await readNamed(files, path);
  return value === undefined ? { value, diagnostics } : readCard(value.text, path);
}

const openText = async (path: string): Promise<void> => {
  // Files over 50 MB open only this way; an editor of text takes them or says why not.
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
};

/** Links that a page of cards has, whether their files are written or not; `home`: a file or folder of the data. */
export function cardActions(desk: Desk, cards: readonly DataCard[], home: string | undefined): PageActions {
  return {
    openRow: async (card, row) => {
      const of = cards[card];
      const sample = of?.sample[row];
      if (of === undefined || sample === undefined) return;
      const file = home === undefined ? of.file : join(home, of.file);
      await openSample(desk, sample, { file, line: sample.line });
    },
    showSignals: async (card, source) => {
      const run = cards[card]?.sources[source]?.run;
      if (run === undefined) return;
      const folder = vscode.Uri.file(runPath(run, home));
      await showSignals(desk, vscode.Uri.joinPath(folder, EPISODES));
    },
  };
}

/** The page of a folder whose files are written. */
export function folderPage(
  desk: Desk,
  folder: string,
  cards: readonly DataCard[],
  shown: number,
  diagnostics: Checked<unknown>["diagnostics"],
): ShownPage {
  const title = nameOfPath(workspaceRoots(), folder);
  const withCard = async (card: number, open: (of: DataCard) => Promise<void>): Promise<void> => {
    const of = cards[card];
    if (of !== undefined) await open(of);
  };
  return {
    tab: `Data of ${title.split("/").at(-1) ?? title}`,
    page: { kind: "data", title, folder: title, cards, shown, findings: shownFindings(diagnostics) },
    actions: {
      ...cardActions(desk, cards, folder),
      openFolder: async () => {
        const inside = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) !== undefined;
        const command = inside ? "revealInExplorer" : "revealFileInOS";
        await vscode.commands.executeCommand(command, vscode.Uri.file(folder));
      },
      openFile: (card) => withCard(card, ({ file }) => openText(join(folder, file))),
      openRaw: (card) => withCard(card, (of) => openText(cardFile(folder, of))),
    },
  };
}

/** The card beside a file: `a-sft.jsonl` → `a-sft.card.json`. */
function cardOf(file: vscode.Uri): vscode.Uri | undefined {
  if (file.path.endsWith(CARD)) return file;
  if (!file.path.endsWith(".jsonl")) return undefined;
  return file.with({ path: file.path.replace(/\.jsonl$/, CARD) });
}

async function pickCard(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles(`**/*${CARD}`, "**/{node_modules,.git,.vscode-test}/**");
  if (found.length === 0)
    throw new Unmet(
      "This workspace has no training data yet.",
      "Build it from recorded runs.",
      wayTo(COMMANDS.buildTrainingData),
    );
  const rows = found
    .map((file) => vscode.workspace.asRelativePath(file))
    .toSorted()
    .map((label) => ({
      label,
      value: found.find((file) => vscode.workspace.asRelativePath(file) === label) ?? found[0],
    }));
  return choose(TITLE, "Card to show", rows);
}

async function cardIn({ files }: Desk, argument: unknown): Promise<vscode.Uri | undefined> {
  const subject = subjectOf(argument);
  if (subject !== undefined) return cardOf(subject) ?? subject;
  const shown = vscode.window.activeTextEditor?.document.uri;
  const beside = shown === undefined ? undefined : cardOf(shown);
  const isThere = beside !== undefined && (await files.stat(beside.fsPath)) !== undefined;
  return isThere ? beside : pickCard();
}

/** `HASP: Show Data Card`: the card with those of the other files of its folder, or why it is none. */
export async function showDataCard(desk: Desk, argument?: unknown): Promise<TrainingPage | undefined> {
  const file = await cardIn(desk, argument);
  if (file === undefined) return undefined;
  const { panels } = desk;
  const folder = dirname(file.fsPath);
  const { value: card, diagnostics } = await readCardAt(desk, file.fsPath);
  if (card === undefined) {
    const why = diagnostics.at(-1);
    const name = nameOfPath(workspaceRoots(), file.fsPath);
    const next = why?.next ?? "Build the folder again.";
    return panels.show(`card:${file.fsPath}`, {
      tab: name.split("/").at(-1) ?? name,
      page: { kind: "broken", file: name, message: why?.message ?? "It cannot be read.", next },
      actions: {
        openRaw: () => openText(file.fsPath),
        change: async () => vscode.commands.executeCommand(COMMANDS.buildTrainingData.id),
      },
    });
  }
  const cards: DataCard[] = [];
  for (const kind of Object.keys(TRAIN_FILES) as (keyof typeof TRAIN_FILES)[]) {
    if (kind === card.kind) cards.push(card);
    else if ((await desk.files.stat(cardFile(folder, { kind }))) !== undefined) {
      const { value } = await readCardAt(desk, cardFile(folder, { kind }));
      if (value?.kind === kind) cards.push(value);
    }
  }
  return panels.show(folderKey(folder), folderPage(desk, folder, cards, cards.indexOf(card), []));
}
