import * as vscode from "vscode";
import { type Answer, BACK, isLeaving, LEFT, type Place, step, type WizardStep } from "./in-turn.ts";

export interface TextQuestion {
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

export interface ChoiceQuestion<T> {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The value of the row that is highlighted at first; else the first row is. */
  readonly active?: T | undefined;
}

/** Shows a question until the person goes back, leaves, or presses Enter while `accept` gives an answer. */
function answered<T, Row extends vscode.QuickPickItem>(
  input: vscode.InputBox | vscode.QuickPick<Row>,
  { title, step: number, total }: Place,
  accept: () => { readonly value: T } | undefined,
): Promise<Answer<T>> {
  input.title = title;
  input.step = number;
  input.totalSteps = total;
  input.ignoreFocusOut = true;
  if (number > 1) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const finish = (answer: Answer<T>): void => {
      resolve(answer);
      input.dispose();
    };
    input.onDidAccept(() => {
      const accepted = accept();
      if (accepted !== undefined) finish(accepted.value);
    });
    input.onDidTriggerButton(() => finish(BACK));
    input.onDidHide(() => finish(LEFT));
    input.show();
  });
}

/** Asks for a line of text; validates while it is typed, and Enter is ignored while it is not valid. */
export function askText(at: Place, question: TextQuestion): Promise<Answer<string>> {
  const input = vscode.window.createInputBox();
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  input.value = question.value;
  input.password = question.password ?? false;
  const check = (): string | undefined => question.validate(input.value.trim());
  function preview(): vscode.InputBoxValidationMessage | undefined {
    const answer = question.answerOf?.(input.value.trim()) ?? input.value;
    if (answer === input.value) return undefined;
    return { message: `Will be ${answer}`, severity: vscode.InputBoxValidationSeverity.Info };
  }
  input.onDidChangeValue(() => {
    input.validationMessage = input.value === "" ? undefined : (check() ?? preview());
  });
  return answered(input, at, () => {
    const problem = check();
    if (problem !== undefined) input.validationMessage = problem;
    const text = input.value.trim();
    return problem === undefined ? { value: question.answerOf?.(text) ?? text } : undefined;
  });
}

/** Asks for one of some choices; Enter accepts the highlighted row, from the first press on. */
export function askChoice<T>(
  at: Place,
  { placeholder, choices, active }: ChoiceQuestion<T>,
): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.items = choices;
  const highlighted = choices.find(({ value }) => value === active) ?? choices[0];
  if (highlighted !== undefined) pick.activeItems = [highlighted];
  // VS Code selects a row by the mouse at once, by Enter only after it has told the host which row is active.
  return answered(pick, at, () => pick.selectedItems[0] ?? pick.activeItems[0]);
}

export interface ChoicesQuestion<T> {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The values whose rows are ticked at first. */
  readonly picked: readonly T[];
}

/** Asks for one or more of some choices, in the order of the rows; Enter is ignored while none is ticked. */
export function askChoices<T>(
  at: Place,
  { placeholder, choices, picked }: ChoicesQuestion<T>,
): Promise<Answer<readonly T[]>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  pick.placeholder = placeholder;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = choices;
  pick.selectedItems = choices.filter(({ value }) => picked.includes(value));
  return answered(pick, at, () => {
    const values = choices.filter((choice) => pick.selectedItems.includes(choice)).map(({ value }) => value);
    return values.length === 0 ? undefined : { value: values };
  });
}

/** A step whose answer is a field of the draft. The row of a former answer is highlighted, else that of `active`. */
export function choiceStep<D, K extends keyof D>(
  field: K,
  questionOn: (draft: D) => ChoiceQuestion<D[K]>,
): WizardStep<D> {
  return async (draft, at) => {
    const { active, ...question } = questionOn(draft);
    const answer = await askChoice(at, { ...question, active: draft[field] ?? active });
    return isLeaving(answer) ? answer : { ...draft, [field]: answer };
  };
}

export function textStep<D>(
  questionOn: (draft: D) => TextQuestion,
  toDraft: (text: string) => Partial<D>,
): WizardStep<D> {
  return step((draft, at) => askText(at, questionOn(draft)), toDraft);
}
