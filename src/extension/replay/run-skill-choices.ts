import * as vscode from "vscode";
import type { SkillRef } from "../../model/episode.ts";

/** Hashes of the skills that a person has allowed, in the workspace's state. */
const ALLOWED = "hasp.allowedRunSkills";
const chosenKey = (file: vscode.Uri): string => `hasp.judgedByRunSkills:${file.toString()}`;

/** Which runs are judged with the skills that their folders keep, and which of those skills a person has allowed. */
export interface RunSkillChoices extends vscode.Disposable {
  /** Whether the run of this `episodes.jsonl` is judged so. */
  isChosen(file: vscode.Uri): boolean;
  choose(file: vscode.Uri, isChosen: boolean): Promise<void>;
  /** Skills that are not allowed yet. A yes holds for the texts of a skill: other texts need another yes. */
  notAllowed(skills: readonly SkillRef[]): readonly SkillRef[];
  allow(skills: readonly SkillRef[]): Promise<void>;
  /** The `episodes.jsonl` of a run that is judged with other skills from now on. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

export function keepRunSkillChoices(memory: vscode.Memento): RunSkillChoices {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const allowed = (): readonly string[] => memory.get<readonly string[]>(ALLOWED, []);
  return {
    isChosen: (file) => memory.get<boolean>(chosenKey(file)) === true,
    async choose(file, isChosen) {
      await memory.update(chosenKey(file), isChosen ? true : undefined);
      changed.fire(file);
    },
    notAllowed(skills) {
      const known = new Set(allowed());
      return skills.filter(({ hash }) => !known.has(hash));
    },
    async allow(skills) {
      await memory.update(ALLOWED, [...new Set([...allowed(), ...skills.map(({ hash }) => hash)])]);
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
