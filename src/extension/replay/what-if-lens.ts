import * as vscode from "vscode";
import { pfClassRange } from "../backtest/code-lens.ts";
import type { PfChange } from "../../model/what-if.ts";
import { COMMANDS } from "../contributions.ts";
import type { ShownWhatIf } from "./what-if.ts";
import type { Services } from "../services.ts";

const statusOf = ({ before, after }: PfChange): string =>
  `${before?.status ?? "not there"} → ${after?.status ?? "not there"}`;

interface Shown {
  readonly file: vscode.Uri;
  readonly found: ShownWhatIf;
}

function lensFor(range: vscode.Range, skillId: string, { file, found }: Shown): vscode.CodeLens[] {
  const own = found.changes.flatMap(({ t, pfs }) =>
    pfs.filter((pf) => pf.skillId === skillId).map((pf) => ({ t, words: statusOf(pf) })),
  );
  const [first] = own;
  if (first === undefined) return [];
  const others = own.length > 1 ? ` and ${own.length - 1} more` : "";
  const diverged = found.divergedAfter.length;
  const rest = diverged > 0 ? ` · ${diverged} diverged` : "";
  const title = `$(git-compare) ${found.saved ? "Saved" : "With your change"}: step ${first.t + 1} ${first.words}${others}${rest}`;
  const tooltip = own.map(({ t, words }) => `step ${t + 1}: ${words}`).join("\n");
  const command = {
    title,
    tooltip,
    command: COMMANDS.revealStep.id,
    arguments: [file, { index: found.index, t: first.t }],
  };
  return [new vscode.CodeLens(range, command)];
}

/** Over the class in `pf.ts`: what the edit changes in the episode that the run editor shows. */
export function registerWhatIfLens({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { editor, library } = editorServices;
  const changed = new vscode.EventEmitter<void>();
  let shown: Shown | undefined;
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const pf = shown === undefined ? undefined : await pfClassRange(document);
      if (shown === undefined || pf === undefined) return [];
      const skill = (await library.list()).find(({ uri }) => uri.path === pf.folder.path);
      return skill === undefined ? [] : lensFor(pf.range, skill.skillId, shown);
    },
  };
  return vscode.Disposable.from(
    changed,
    editor.onWhatIf((found) => {
      shown = found;
      changed.fire();
    }),
    vscode.languages.registerCodeLensProvider({ scheme: "file", pattern: "**/pf.ts" }, provider),
  );
}
