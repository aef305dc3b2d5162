import * as vscode from "vscode";
import type { PfChange } from "../../model/what-if.ts";
import { COMMANDS } from "../contributions.ts";
import { registerPfLenses } from "../language/pf-lens.ts";
import { skillIn } from "../workspace/choose-skill.ts";
import type { EpisodeWhatIf } from "./editor.ts";
import type { Services } from "../services.ts";

const statusOf = ({ before, after }: PfChange): string =>
  `${before?.status ?? "not there"} → ${after?.status ?? "not there"}`;

function lensFor(skillId: string, { file, found }: EpisodeWhatIf): vscode.Command[] {
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
  return [command];
}

/** Over the class in `pf.ts`: what the edit changes in the episode that the run editor shows. */
export function registerWhatIfLens({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { editor, library } = editorServices;
  const changed = new vscode.EventEmitter<void>();
  let shown: EpisodeWhatIf | undefined;
  return vscode.Disposable.from(
    changed,
    editor.onWhatIf((found) => {
      shown = found;
      changed.fire();
    }),
    registerPfLenses(changed.event, async (folder) => {
      if (shown === undefined) return [];
      const skill = skillIn(await library.list(), folder);
      return skill === undefined ? [] : lensFor(skill.skillId, shown);
    }),
  );
}
