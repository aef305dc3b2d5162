import * as vscode from "vscode";
import { OPENAI_ORIGIN } from "../../llm/keys.ts";
import type { HttpGet } from "../../llm/list-models.ts";
import { findLocalServers, type LocalServer, localPorts, SERVER_NAMES } from "../../llm/local-servers.ts";
import { counted } from "../../model/counted.ts";
import type { Answer, Place } from "../in-turn.ts";
import { plainLabel } from "../plain-label.ts";
import { askChoice, type Choice, type LateRows, type Row } from "../steps.ts";
import { configuredModels } from "./chosen-model.ts";

/** The place of a model. */
export interface Where {
  /** `local`: one that a server of this machine named; `configured`: one that was configured before. */
  readonly kind: "openai" | "custom" | "editor" | "configured" | "local";
  /** The model, where it is known already. */
  readonly spec?: string;
  readonly price?: string | undefined;
  /** Base URL of a custom endpoint, where it is known already. */
  readonly address?: string;
}

export interface WhereServices {
  readonly get: HttpGet;
  /** Of the environment; `OLLAMA_HOST` may name a port. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A model of one's own machine costs time alone; a server of unknown kind may pass requests on to a paid service. */
const priceOf = ({ kind }: LocalServer): string | undefined =>
  kind === "OpenAI-compatible server" ? undefined : "0/0";

const hostOf = ({ baseUrl }: LocalServer): string => new URL(baseUrl).host;

/**
 * The host stands in the row: a filter hides separators, and two servers may have a model of one name. llama.cpp calls a model by the
 * path of its file: the row shows its name, and the folder beside it.
 */
function modelRow(server: LocalServer, id: string): Row<Where> {
  const [, folder = "", name = id] = /^((?:\/|[A-Za-z]:[\\/]).*[\\/])([^\\/]+)$/.exec(id) ?? [];
  return {
    label: `$(server) ${plainLabel(name)}`,
    description: plainLabel(folder === "" ? hostOf(server) : `${hostOf(server)} · ${folder}`),
    value: { kind: "local", spec: `${server.baseUrl}#${id}`, price: priceOf(server) },
  };
}

function rowsOf(server: LocalServer): readonly Row<Where>[] {
  const { kind, baseUrl, state, models } = server;
  const name = `${kind} at ${hostOf(server)}${state === "loading" ? ", still loading its model" : ""}`;
  const separator = { label: name, kind: vscode.QuickPickItemKind.Separator };
  if (state === "locked") {
    const value: Where = { kind: "custom", address: baseUrl };
    return [separator, { label: "$(key) It asks for a key …", description: hostOf(server), value }];
  }
  if (models.length > 0) return [separator, ...models.map((id) => modelRow(server, id))];
  const [label, detail] =
    state === "loading"
      ? ["$(clock) Still loading its model", "Look again in a while."]
      : ["$(info) No model yet", `Add one to ${kind}, then look again.`];
  return [separator, { label, detail, again: true }];
}

const AGAIN = "Look for local servers again";

const LOOKING: readonly Row<Where>[] = [
  { label: "On this machine", kind: vscode.QuickPickItemKind.Separator },
  { label: "$(loading~spin) Looking for local servers …", detail: SERVER_NAMES },
];

function foundRows(servers: readonly LocalServer[]): readonly Row<Where>[] {
  const isEmpty = servers.length === 0;
  const label = isEmpty ? "On this machine" : "";
  const detail = isEmpty ? `None answers at the usual ports of ${SERVER_NAMES}.` : undefined;
  return [
    ...servers.flatMap(rowsOf),
    { label, kind: vscode.QuickPickItemKind.Separator },
    { label: `$(refresh) ${AGAIN}`, ...(detail !== undefined && { detail }), again: true },
  ];
}

/** No program of this machine is asked for a workspace that nobody trusts yet. */
function localRows({ get, variables }: WhereServices): LateRows<Where> | undefined {
  if (!vscode.workspace.isTrusted) return undefined;
  const ports = localPorts(variables["OLLAMA_HOST"]);
  const find = async (signal: AbortSignal) => foundRows(await findLocalServers(get, signal, ports));
  return { meanwhile: LOOKING, find, again: AGAIN };
}

function choicesWith(models: readonly vscode.LanguageModelChat[]): readonly Choice<Where>[] {
  const known = configuredModels().map(({ spec, roles, price }): Choice<Where> => ({
    label: `$(check) ${plainLabel(spec)}`,
    detail: roles.length === 0 ? "Configured before." : `The ${roles.join(" and ")} now.`,
    value: { kind: "configured", spec, price },
  }));
  const detail = `${counted(models.length, "model")}; VS Code asks before the first use.`;
  const ofEditor: Choice<Where> = {
    label: "$(copilot) A chat model of VS Code",
    detail,
    value: { kind: "editor" },
  };
  return [
    ...known,
    { label: "$(cloud) OpenAI", detail: OPENAI_ORIGIN, value: { kind: "openai" } },
    {
      label: "$(plug) Another endpoint",
      detail: "Anything that speaks OpenAI's chat completions, by its address.",
      value: { kind: "custom" },
    },
    ...(models.length > 0 ? [ofEditor] : []),
  ];
}

/** Asks for the place of a model. Servers of this machine are looked for while the question is open. */
export function askWhere(
  at: Place,
  services: WhereServices,
  {
    models,
    active,
  }: { readonly models: readonly vscode.LanguageModelChat[]; readonly active: Where | undefined },
): Promise<Answer<Where>> {
  const late = localRows(services);
  const placeholder = "Endpoint or chat model that answers";
  return askChoice(at, { placeholder, choices: choicesWith(models), active, ...(late && { late }) });
}
