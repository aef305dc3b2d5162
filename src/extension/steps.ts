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

/** A row of a question: a choice, a separator, or one that looks for late rows again. */
export type Row<T> = Choice<T> | (vscode.QuickPickItem & { readonly again?: true });

/** Rows that take a while, below the others. Nothing above them moves when they come. */
export interface LateRows<T> {
  /** In their place while they are looked for the first time. */
  readonly meanwhile: readonly Row<T>[];
  /** Aborted when the question is over, or asked for anew. */
  readonly find: (signal: AbortSignal) => Promise<readonly Row<T>[]>;
  /** The button that looks again. */
  readonly again: string;
}

export interface ChoiceQuestion<T> {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The value of the row that is highlighted at first; else the first row is. */
  readonly active?: T | undefined;
  readonly late?: LateRows<T>;
}

/** Shows a question until the person goes back, leaves, or presses Enter while `accept` gives an answer. */
function answered<T, Row extends vscode.QuickPickItem>(
  input: vscode.InputBox | vscode.QuickPick<Row>,
  { title, step: number, total }: Place,
  accept: () => { readonly value: T } | undefined,
  button?: { readonly shown: vscode.QuickInputButton; readonly press: () => void },
): Promise<Answer<T>> {
  input.title = title;
  input.step = number;
  input.totalSteps = total;
  input.ignoreFocusOut = true;
  const { Back } = vscode.QuickInputButtons;
  input.buttons = [...(number > 1 ? [Back] : []), ...(button === undefined ? [] : [button.shown])];
  return new Promise((resolve) => {
    const finish = (answer: Answer<T>): void => {
      resolve(answer);
      input.dispose();
    };
    input.onDidAccept(() => {
      const accepted = accept();
      if (accepted !== undefined) finish(accepted.value);
    });
    input.onDidTriggerButton((pressed) => (pressed === button?.shown ? button.press() : finish(BACK)));
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

/** Adds late rows to a list that is open; former ones stay until new ones are there. The highlighted row stays highlighted. */
function showLate<T>(
  pick: vscode.QuickPick<Row<T>>,
  { choices, late }: { readonly choices: readonly Row<T>[]; readonly late: LateRows<T> },
) {
  let looking: AbortController | undefined;
  function show(rows: readonly Row<T>[]): void {
    const [former] = pick.activeItems;
    const items = [...choices, ...rows];
    pick.keepScrollPosition = true;
    pick.items = items;
    const same = items.find((row) => row.label === former?.label && row.description === former.description);
    if (same !== undefined) pick.activeItems = [same];
  }
  return {
    async look(): Promise<void> {
      if (looking === undefined) show(late.meanwhile);
      looking?.abort();
      const { signal } = (looking = new AbortController());
      pick.busy = true;
      const rows = await late.find(signal);
      if (signal.aborted) return;
      pick.busy = false;
      show(rows);
    },
    stop: () => looking?.abort(),
  };
}

/** Asks for one of some choices; Enter accepts the highlighted row, from the first press on. */
export async function askChoice<T>(
  at: Place,
  { placeholder, choices, active, late }: ChoiceQuestion<T>,
): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<Row<T>>();
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.items = choices;
  const highlighted = choices.find(({ value }) => value === active) ?? choices[0];
  if (highlighted !== undefined) pick.activeItems = [highlighted];
  const lateRows = late === undefined ? undefined : showLate(pick, { choices, late });
  const look = (): void => void lateRows?.look();
  const accept = (): { readonly value: T } | undefined => {
    // VS Code selects a row by the mouse at once, by Enter only after it has told the host which row is active.
    const row = pick.selectedItems[0] ?? pick.activeItems[0];
    if (row !== undefined && "value" in row) return row;
    if (row?.again === true) look();
    return undefined;
  };
  const again = late && { iconPath: new vscode.ThemeIcon("refresh"), tooltip: late.again };
  const answer = answered(pick, at, accept, again && { shown: again, press: look });
  look();
  return answer.finally(() => lateRows?.stop());
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
