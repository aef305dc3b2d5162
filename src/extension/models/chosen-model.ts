import * as vscode from "vscode";
import type { ModelSpec } from "../../llm/endpoint.ts";
import { parseModelSpec } from "../../llm/endpoint.ts";
import type { Checked } from "../../model/diagnostic.ts";
import { parsePrice, type Price } from "../../llm/price.ts";
import { SETTINGS, type SettingContribution } from "../contributions.ts";
import { usable } from "../usable.ts";

export type Role = "policy" | "teacher";

export const ROLES: readonly Role[] = ["policy", "teacher"];

const SPEC_SETTINGS: Record<Role, SettingContribution<string>> = {
  policy: SETTINGS.policyModel,
  teacher: SETTINGS.teacherModel,
};

/**
 * A setting of the person. VS Code refuses machine settings from a workspace; that one is not even looked at
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

/** The price that the person gave for a model; undefined where they gave none that can be read. */
export function chosenPrice(spec: string): Price | undefined {
  const prices: unknown = ofPerson(SETTINGS.modelPrices);
  if (typeof prices !== "object" || prices === null || !Object.hasOwn(prices, spec)) return undefined;
  const text: unknown = Reflect.get(prices, spec);
  return typeof text === "string" ? parsePrice(text).value : undefined;
}

/** A model that was configured before, for some role or with a price of its own. */
export interface ConfiguredModel {
  readonly spec: string;
  readonly roles: readonly Role[];
  /** As the person wrote it; undefined where they gave none. */
  readonly price: string | undefined;
}

/** The models that the person configured, those with a role first. */
export function configuredModels(): readonly ConfiguredModel[] {
  const prices = ofPerson(SETTINGS.modelPrices);
  const specs = new Set([...ROLES.flatMap((role) => chosenModel(role) ?? []), ...Object.keys(prices)]);
  return [...specs]
    .filter((spec) => parseSpec(spec).value !== undefined)
    .map((spec) => ({
      spec,
      roles: ROLES.filter((role) => chosenModel(role) === spec),
      price: typeof prices[spec] === "string" ? prices[spec] : undefined,
    }));
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

export function isPlainHttpAllowed(origin: string): boolean {
  const origins: unknown = ofPerson(SETTINGS.plainHttp);
  return Array.isArray(origins) && origins.includes(origin);
}

/** Remembers the person's yes to plain http for one origin of their own network. */
export async function allowPlainHttp(origin: string): Promise<void> {
  if (isPlainHttpAllowed(origin)) return;
  const origins = [...ofPerson(SETTINGS.plainHttp), origin];
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration().update(SETTINGS.plainHttp.key, origins, Global);
}

/** Reads a spec by the rules that the person set. */
export const parseSpec = (spec: string): Checked<ModelSpec> => parseModelSpec(spec, { isPlainHttpAllowed });

/** Reads a spec that a person chose. */
export const readSpec = (spec: string): ModelSpec => usable(parseSpec(spec), CONFIGURE);

export const CONFIGURE = { label: "Configure model", command: "hasp.configureModel" };
