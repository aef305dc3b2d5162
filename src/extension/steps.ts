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

/** The place of a question in its wizard. */
export interface Place {
  /** Of the wizard. */
  readonly title: string;
  /** 1-based. */
  readonly step: number;
  readonly total: number;
}

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

function place(input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] }, at: Place): void {
  input.title = at.title;
  input.step = at.step;
  input.totalSteps = at.total;
  input.ignoreFocusOut = true;
  if (at.step > 1) input.buttons = [vscode.QuickInputButtons.Back];
}

/** Asks for a line of text; validates while it is typed, and Enter is ignored while it is not valid. */
export function askText(at: Place, question: TextQuestion): Promise<Answer<string>> {
  const input = vscode.window.createInputBox();
  place(input, at);
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  input.value = question.value;
  input.password = question.password ?? false;
  return new Promise((resolve) => {
    const finish = (answer: Answer<string>): void => {
      resolve(answer);
      input.dispose();
    };
    const answerOf = (): string => {
      const text = input.value.trim();
      return question.answerOf?.(text) ?? text;
    };
    const check = (): string | undefined => question.validate(input.value.trim());
    const preview = (): vscode.InputBoxValidationMessage | undefined =>
      answerOf() === input.value
        ? undefined
        : { message: `Will be ${answerOf()}`, severity: vscode.InputBoxValidationSeverity.Info };
    input.onDidChangeValue(() => {
      input.validationMessage =
        input.value === ""
          ? undefined
          : (check() ?? (question.answerOf === undefined ? undefined : preview()));
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
export function askChoice<T>(
  at: Place,
  { placeholder, choices, active }: ChoiceQuestion<T>,
): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  place(pick, at);
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.items = choices;
  const highlighted = choices.find(({ value }) => value === active) ?? choices[0];
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
export type WizardStep<D> = (draft: D, at: Place) => Promise<Answer<D>>;

/** A step whose answer changes the draft by what `toDraft` gives. */
export function step<D, T>(
  ask: (draft: D, at: Place) => Promise<Answer<T>>,
  toDraft: (answer: T, draft: D) => Partial<D> | Promise<Partial<D>>,
): WizardStep<D> {
  return async (draft, at) => {
    const answer = await ask(draft, at);
    return isLeaving(answer) ? answer : { ...draft, ...(await toDraft(answer, draft)) };
  };
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

/**
 * Asks step by step, with a way back; undefined when the person leaves. `stepsFor` is asked anew after each answer, so an
 * answer may bring further questions; it must leave the steps before the present one as they are.
 */
export async function askInTurn<D>(
  title: string,
  draft: D,
  stepsFor: (draft: D) => readonly WizardStep<D>[],
): Promise<D | undefined> {
  let known = draft;
  for (let index = 0; ;) {
    const steps = stepsFor(known);
    const ask = steps[index];
    if (ask === undefined) return known;
    const answer = await ask(known, { title, step: index + 1, total: steps.length });
    if (answer === LEFT) return undefined;
    if (answer === BACK) index = Math.max(0, index - 1);
    else {
      known = answer;
      index += 1;
    }
  }
}
