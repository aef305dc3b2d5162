import type * as vscode from "vscode";
import type { ImportOrder } from "../../app/import-episodes.ts";
import { runnableDomains } from "../../domains/registry.ts";
import { askInTurn, step, type WizardStep } from "../in-turn.ts";
import { askFile, fileChoices, questionFiles } from "../questions/plan.ts";
import { choiceStep } from "../steps.ts";

/** How recorded answers are to be read, as far as it is known. */
interface Draft {
  readonly domain?: string | undefined;
  /** File with their questions. */
  readonly questions?: vscode.Uri | undefined;
}

const domainStep: WizardStep<Draft> = choiceStep("domain", () => ({
  placeholder: "Domain of the answers: its prompt says how a solution is read",
  choices: runnableDomains().map(({ name, about }) => ({ label: name, detail: about, value: name })),
}));

const questionsStep = (root: vscode.Uri): WizardStep<Draft> =>
  step(
    async ({ questions }, at) => {
      const choices = fileChoices(root, await questionFiles(root));
      return askFile(at, "File with the questions of the answers", choices, questions);
    },
    (questions) => ({ questions }),
  );

/** Asks a person for the domain, and for the questions where the rows lack them; undefined when they leave. */
export async function askAnswers(
  title: string,
  { root, lacksQuestions }: { readonly root: vscode.Uri; readonly lacksQuestions: boolean },
  { domain, questions }: Draft,
): Promise<Pick<ImportOrder, "domain" | "questions"> | undefined> {
  const steps = [
    ...(domain === undefined ? [domainStep] : []),
    ...(lacksQuestions && questions === undefined ? [questionsStep(root)] : []),
  ];
  const said = await askInTurn<Draft>(title, { domain, questions }, () => steps);
  return said && { domain: said.domain, questions: said.questions?.fsPath };
}
