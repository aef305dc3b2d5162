import * as vscode from "vscode";
import type { ModelSpec } from "../../llm/endpoint.ts";
import { parseModelSpec } from "../../llm/endpoint.ts";
import { parsePrice, type Price } from "../../llm/price.ts";
import { SETTINGS, type SettingContribution } from "../contributions.ts";
import { Failure } from "../failure.ts";

/** What a model is for. */
export type Role = "policy" | "teacher";

export const ROLES: readonly Role[] = ["policy", "teacher"];

const SPEC_SETTINGS: Record<Role, SettingContribution<string>> = {
  policy: SETTINGS.policyModel,
  teacher: SETTINGS.teacherModel,
};

/**
 * What the person set for themselves. VS Code refuses machine settings from a workspace; that one is not even looked at
 * here makes it independent of how it does so.
 */
function ofPerson<T>({ key, default: otherwise }: SettingContribution<T>): T {
  return vscode.workspace.getConfiguration().inspect<T>(key)?.globalValue ?? otherwise;
}

/** The spec of the model chosen for a role; undefined where none was. */
export function chosenModel(role: Role): string | undefined {
  const spec = ofPerson(SPEC_SETTINGS[role]);
  return typeof spec === "string" && spec.trim() !== "" ? spec.trim() : undefined;
}

/** What a person says the model costs; undefined where they said nothing that can be read. */
export function chosenPrice(spec: string): Price | undefined {
  const prices: unknown = ofPerson(SETTINGS.modelPrices);
  if (typeof prices !== "object" || prices === null || !Object.hasOwn(prices, spec)) return undefined;
  const text: unknown = Reflect.get(prices, spec);
  return typeof text === "string" ? parsePrice(text).value : undefined;
}

/** US dollars that one run may cost; undefined for no limit. */
export function dollarLimit(): number | undefined {
  const limit = ofPerson(SETTINGS.runBudget);
  return typeof limit === "number" && limit > 0 ? limit : undefined;
}

/** Keeps the choice in the person's own settings. A price that is not known is taken out. */
export async function keepChoice(role: Role, spec: string, price: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const { Global } = vscode.ConfigurationTarget;
  const { [spec]: _former, ...others } = ofPerson(SETTINGS.modelPrices);
  const prices = price === undefined ? others : { ...others, [spec]: price };
  await configuration.update(SETTINGS.modelPrices.key, prices, Global);
  await configuration.update(SPEC_SETTINGS[role].key, spec, Global);
}

/** Reads a spec that a person chose. */
export function readSpec(spec: string): ModelSpec {
  const { value, diagnostics } = parseModelSpec(spec);
  if (value !== undefined) return value;
  const [first] = diagnostics;
  throw new Failure(
    first?.message ?? "The model cannot be read.",
    first?.next ?? "Configure it again.",
    CONFIGURE,
  );
}

export const CONFIGURE = { label: "Configure model", command: "hasp.configureModel" };
