import * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";
import { plainLabel } from "../plain-label.ts";
import { type Answer, LEFT, type Place } from "../in-turn.ts";
import { askChoice, type Choice } from "../steps.ts";
import { configuredModels, type Role } from "./chosen-model.ts";
import { editorModelId } from "./vscode-model.ts";

const CONFIGURE = "configure";

const ROLE_ICONS: Readonly<Record<Role, string>> = { policy: "rocket", teacher: "mortar-board" };

/** The models that the person configured, for whatever role; that of `role` first. */
export function configuredChoices(role: Role): Choice<string>[] {
  const known = configuredModels();
  return [
    ...known.filter(({ roles }) => roles.includes(role)),
    ...known.filter(({ roles }) => !roles.includes(role)),
  ].map(({ spec, roles }) => ({
    label: `$(${roles.includes(role) ? ROLE_ICONS[role] : "server"}) ${plainLabel(spec)}`,
    detail: roles.length === 0 ? "Configured before." : `The configured ${roles.join(" and ")}.`,
    value: spec,
  }));
}

/** The chat models of VS Code itself. */
async function editorChoices(): Promise<Choice<string>[]> {
  return (await vscode.lm.selectChatModels({})).map(({ name, vendor, family }) => ({
    label: `$(copilot) ${name}`,
    description: `${vendor}/${family}`,
    detail: "A chat model of VS Code.",
    value: editorModelId(vendor, family),
  }));
}

export interface ModelQuestion<T> {
  /** Its model is first; a model that is configured meanwhile gets it. */
  readonly role: Role;
  readonly placeholder: string;
  readonly active: NoInfer<string | T> | undefined;
  /** Rows above the models, and rows between them and the last one. */
  readonly before?: readonly Choice<T>[];
  readonly after?: readonly Choice<T>[];
  /** False where another process asks the model: it cannot reach those of VS Code. Default: true. */
  readonly ofEditor?: boolean;
}

/** Asks for one of the models that can be used here; one that is configured meanwhile is among them. */
export async function askModel<T = never>(
  at: Place,
  question: ModelQuestion<T>,
): Promise<Answer<string | T>> {
  const { role, placeholder, active, before = [], after = [], ofEditor = true } = question;
  const configure = {
    label: `${COMMANDS.configureModel.icon} Configure a model …`,
    detail: ofEditor
      ? "A local server, an endpoint, or a chat model of VS Code."
      : "A local server, or an endpoint.",
    value: CONFIGURE,
  };
  const models = ofEditor
    ? [...configuredChoices(role), ...(await editorChoices())]
    : configuredChoices(role).filter(({ value }) => !value.startsWith("vscode:"));
  const choices: Choice<string | T>[] = [...before, ...models, ...after, configure];
  const chosen = await askChoice(at, { placeholder, choices, active });
  if (chosen !== CONFIGURE) return chosen;
  const done: unknown = await vscode.commands.executeCommand(COMMANDS.configureModel.id, { role });
  return done === undefined ? LEFT : askModel(at, question);
}
