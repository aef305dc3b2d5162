import * as vscode from "vscode";

/** A person pressed the back button of a wizard's step. */
export const BACK = Symbol("back");
/** A person left the wizard. */
export const LEFT = Symbol("left");

export type Answer<T> = T | typeof BACK | typeof LEFT;

/** The person did not answer the question. */
export function isLeaving(answer: unknown): answer is typeof BACK | typeof LEFT {
  return answer === BACK || answer === LEFT;
}

interface Place {
  readonly title: string;
  readonly step: number;
  readonly total: number;
}

export interface TextStep extends Place {
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  /** Why the text cannot be accepted; undefined when it can. */
  readonly validate: (text: string) => string | undefined;
  /** The answer that a text gives, shown while it is typed where the two differ; absent: the text itself. */
  readonly answerOf?: (text: string) => string;
  /** The text is a secret: it is not shown. */
  readonly password?: boolean;
}

export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

export interface ChoiceStep<T> extends Place {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  readonly active: T | undefined;
}

function place(input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] }, at: Place): void {
  input.title = at.title;
  input.step = at.step;
  input.totalSteps = at.total;
  input.ignoreFocusOut = true;
  if (at.step > 1) input.buttons = [vscode.QuickInputButtons.Back];
}

/** Asks for a line of text; validates while it is typed, and Enter is ignored while it is not valid. */
export function askText(step: TextStep): Promise<Answer<string>> {
  const input = vscode.window.createInputBox();
  place(input, step);
  input.prompt = step.prompt;
  input.placeholder = step.placeholder;
  input.value = step.value;
  input.password = step.password ?? false;
  return new Promise((resolve) => {
    const finish = (answer: Answer<string>): void => {
      resolve(answer);
      input.dispose();
    };
    const answerOf = (): string => {
      const text = input.value.trim();
      return step.answerOf?.(text) ?? text;
    };
    const check = (): string | undefined => step.validate(input.value.trim());
    const preview = (): vscode.InputBoxValidationMessage | undefined =>
      answerOf() === input.value
        ? undefined
        : { message: `Will be ${answerOf()}`, severity: vscode.InputBoxValidationSeverity.Info };
    input.onDidChangeValue(() => {
      input.validationMessage =
        input.value === "" ? undefined : (check() ?? (step.answerOf === undefined ? undefined : preview()));
    });
    input.onDidAccept(() => {
      const problem = check();
      if (problem === undefined) finish(answerOf());
      else input.validationMessage = problem;
    });
    input.onDidTriggerButton(() => finish(BACK));
    input.onDidHide(() => finish(LEFT));
    input.show();
  });
}

/** Asks for one of some choices; Enter accepts the highlighted row, from the first press on. */
export function askChoice<T>(step: ChoiceStep<T>): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  place(pick, step);
  pick.placeholder = step.placeholder;
  pick.matchOnDescription = true;
  pick.items = step.choices;
  const highlighted = step.choices.find((choice) => choice.value === step.active) ?? step.choices[0];
  if (highlighted !== undefined) pick.activeItems = [highlighted];
  return new Promise((resolve) => {
    const finish = (answer: Answer<T>): void => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      // VS Code selects a row by the mouse at once, by Enter only after it has told the host which row is active.
      const [chosen = pick.activeItems[0]] = pick.selectedItems;
      if (chosen !== undefined) finish(chosen.value);
    });
    pick.onDidTriggerButton(() => finish(BACK));
    pick.onDidHide(() => finish(LEFT));
    pick.show();
  });
}

/** One question of a wizard: from what is known so far to what is known after it. */
export type WizardStep<D> = (draft: D, at: { step: number; total: number }) => Promise<Answer<D>>;

/**
 * Asks step by step, with a way back; undefined when the person leaves. `stepsFor` is asked anew after each answer, so an
 * answer may bring further questions; it must leave the steps before the present one as they are.
 */
export async function askInTurn<D>(
  draft: D,
  stepsFor: (draft: D) => readonly WizardStep<D>[],
): Promise<D | undefined> {
  let known = draft;
  for (let index = 0; ;) {
    const steps = stepsFor(known);
    const ask = steps[index];
    if (ask === undefined) return known;
    const answer = await ask(known, { step: index + 1, total: steps.length });
    if (answer === LEFT) return undefined;
    if (answer === BACK) index = Math.max(0, index - 1);
    else {
      known = answer;
      index += 1;
    }
  }
}
