import process from "node:process";
import * as vscode from "vscode";
import { dollars } from "../../llm/budget.ts";
import { type ChatReply, ModelError } from "../../llm/chat-model.ts";
import type { KeyStore } from "../../llm/keys.ts";
import { parsePrice } from "../../llm/price.ts";
import { oneLine } from "../../llm/redact.ts";
import type { Usage } from "../../model/usage.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { inform, inNotification } from "../notification.ts";
import { COMMANDS } from "../contributions.ts";
import { asText, Unmet } from "../failure.ts";
import { chosenModel, CONFIGURE, keepChoice, readSpec, type Role, ROLES } from "./chosen-model.ts";
import { tryingKey } from "./secret-keys.ts";
import { askForModel, type KeyAnswer, type ModelAnswers } from "./wizard.ts";
import type { Services } from "../services.ts";
import { wayTo } from "../unmet.ts";

/** The argument from code, without the wizard. */
export type ConfigureArguments = Omit<ModelAnswers, "price"> & { readonly price?: string };

export interface Configured {
  readonly role: Role;
  readonly spec: string;
  /** The answer to the test message; undefined where none was sent. */
  readonly reply: ChatReply | undefined;
}

/** Room for a model that thinks before it speaks. */
const TEST_TOKENS = 512;
const SHOWN_CHARACTERS = 80;

function isComplete(argument: unknown): argument is ConfigureArguments {
  return ["role", "spec", "key", "test"].every((key) => key in fieldsOf(argument));
}

/** `12 + 3 tokens, $0.0001, 210 ms`; a cost that nobody knows is said to be unknown. */
export function describeUsage({ inputTokens, outputTokens, cost, latencyMs, estimated }: Usage): string {
  const tokens = `${estimated === true ? "about " : ""}${inputTokens} + ${outputTokens} tokens`;
  const money = cost === undefined ? "cost unknown" : dollars(cost);
  return [tokens, money, ...(latencyMs === undefined ? [] : [`${Math.round(latencyMs)} ms`])].join(", ");
}

/** The keys as they will be after the person's answer. */
function keysAfter(keys: KeyStore, answer: KeyAnswer, origin: string): KeyStore {
  if (answer.kind === "as-is") return keys;
  return tryingKey(keys, origin, answer.kind === "give" ? answer.key : undefined);
}

function originOf(spec: string): string {
  const parsed = readSpec(spec);
  return parsed.kind === "endpoint" ? parsed.endpoint.origin : "";
}

/** `HASP: Configure Model`: asks, sends one test message after a yes, and keeps the choice with the person, not with the workspace. */
export function registerConfigureModel({
  editorServices,
  modelServices,
}: Pick<Services, "editorServices" | "modelServices">): vscode.Disposable {
  const { log } = editorServices;
  const { keys, models, get, redactor } = modelServices;
  async function test(answers: ModelAnswers): Promise<ChatReply> {
    const { role, spec, key } = answers;
    const price = answers.price === undefined ? undefined : parsePrice(answers.price).value;
    const trying = keysAfter(keys, key, originOf(spec));
    let say = (message: string): void => log.info(message);
    const onLoading = (message: string): void => say(message);
    const model = await models.open(spec, { keys: trying, onLoading, ...(price !== undefined && { price }) });
    return inNotification(`Asking the ${role}`, (signal, _on, remark) => {
      say = (message) => remark(asText(message));
      say(model.id);
      const content = "This is a test. Reply with the one word: ready";
      const request = {
        messages: [{ role: "user" as const, content }],
        temperature: 0,
        maxTokens: TEST_TOKENS,
      };
      return model.chat(request, { signal });
    });
  }

  async function keep({ role, spec, key, price }: ModelAnswers): Promise<void> {
    const origin = originOf(spec);
    if (key.kind === "give") await keys.give(origin, key.key);
    if (key.kind === "forget") await keys.forget(origin);
    await keepChoice(role, spec, price);
    log.info(`The ${role} is ${spec}`);
  }

  /** True to keep the model although the test failed. */
  async function keepAfter(error: unknown, { role, spec }: ModelAnswers): Promise<boolean> {
    if (!(error instanceof ModelError)) throw error;
    log.error(`The test of the ${role} ${spec} failed`, error.message);
    const text = `The ${role} was not kept, because its test failed: ${error.message} ${error.next ?? ""}`;
    const [keepIt, again, toLog] = ["Keep anyway", "Configure again", "Open log"];
    const choice = await vscode.window.showErrorMessage(asText(text), keepIt, again, toLog);
    if (choice === again) void vscode.commands.executeCommand(CONFIGURE.command, { role });
    if (choice === toLog) void vscode.commands.executeCommand(COMMANDS.openLog.id);
    return choice === keepIt;
  }

  function say({ role, spec, reply }: Configured): void {
    const said =
      reply === undefined
        ? "It was not tested."
        : `It said "${oneLine(reply.text, SHOWN_CHARACTERS)}": ${describeUsage(reply.usage)}.`;
    const next = role === "policy" ? COMMANDS.runQuestions : COMMANDS.teacherReview;
    inform(asText(`The ${role} is ${spec}. ${said}`), wayTo(next));
  }

  async function configure(argument?: unknown): Promise<Configured | undefined> {
    const given = isComplete(argument) ? { ...argument, price: argument.price } : undefined;
    const answers =
      given ??
      (await askForModel(
        { keys, get, variables: process.env },
        ROLES.find((role) => role === fieldsOf(argument)["role"]),
      ));
    if (answers === undefined) return undefined;
    if (answers.key.kind === "give") redactor.learn(answers.key.key);
    let reply: ChatReply | undefined;
    try {
      if (answers.test) reply = await test(answers);
    } catch (error) {
      if (!(await keepAfter(error, answers))) return undefined;
    }
    await keep(answers);
    const configured = { role: answers.role, spec: answers.spec, reply };
    say(configured);
    return configured;
  }

  return registerCommand(log, COMMANDS.configureModel, configure);
}

/** The model of a role; fails with the way to choose one. */
export function requireModel(role: Role): string {
  const spec = chosenModel(role);
  if (spec !== undefined) return spec;
  throw new Unmet(`No ${role} is configured.`, "Choose the model that is to be it.", CONFIGURE);
}
