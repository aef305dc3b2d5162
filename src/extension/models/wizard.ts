import * as vscode from "vscode";
import { type Endpoint, parseModelSpec } from "../../llm/endpoint.ts";
import { OPENAI_ORIGIN } from "../../llm/keys.ts";
import type { KeyStore } from "../../llm/keys.ts";
import { listPrice, parsePrice } from "../../llm/price.ts";
import {
  type Answer,
  askChoice,
  askInTurn,
  askText,
  BACK,
  type Choice,
  isLeaving,
  type WizardStep,
} from "../steps.ts";
import type { Role } from "./chosen-model.ts";
import { editorModelId } from "./vscode-model.ts";

/** What becomes of the key of an endpoint. */
export type KeyAnswer =
  | { readonly kind: "as-is" }
  | { readonly kind: "give"; readonly key: string }
  | { readonly kind: "forget" };

/** What a person says about a model. */
export interface ModelAnswers {
  readonly role: Role;
  readonly spec: string;
  readonly key: KeyAnswer;
  /** Dollars per million tokens, as `2.50/10`; undefined where the list knows it or nobody does. */
  readonly price: string | undefined;
  /** Whether one message may be sent now. */
  readonly test: boolean;
}

type Where = "openai" | "custom" | "editor";

interface Draft extends Partial<ModelAnswers> {
  readonly where?: Where;
  /** Base URL of a custom endpoint. */
  readonly address?: string;
}

type Step = WizardStep<Draft>;

export const TITLE = "HASP: Configure Model";
/** The teacher that the method pins (SPEC §4). */
const TEACHER = "gpt-4o-2024-11-20";

const ROLE_CHOICES: readonly Choice<Role>[] = [
  {
    label: "$(rocket) Policy",
    detail: "Works on questions: it searches, reads and answers.",
    value: "policy",
  },
  {
    label: "$(mortar-board) Teacher",
    detail: "Reviews skills, and answers Program Functions that ask for a teacher.",
    value: "teacher",
  },
];

function kept<T>(draft: Draft, answer: Answer<T>, toDraft: (value: T) => Draft): Answer<Draft> {
  return isLeaving(answer) ? answer : { ...draft, ...toDraft(answer) };
}

const roleStep: Step = async (draft, at) => {
  const placeholder = "What the model is for";
  const answer = await askChoice({
    title: TITLE,
    ...at,
    placeholder,
    choices: ROLE_CHOICES,
    active: draft.role,
  });
  return kept(draft, answer, (role) => ({ role }));
};

function whereStep(models: readonly vscode.LanguageModelChat[]): Step {
  const choices: Choice<Where>[] = [
    { label: "$(cloud) OpenAI", detail: OPENAI_ORIGIN, value: "openai" },
    {
      label: "$(server) Another endpoint",
      detail: "Anything that speaks OpenAI's chat completions: vLLM, Ollama, LM Studio, …",
      value: "custom",
    },
  ];
  if (models.length > 0) {
    const detail = `${models.length} ${models.length === 1 ? "model" : "models"}; VS Code asks before the first use.`;
    choices.push({ label: "$(copilot) A chat model of VS Code", detail, value: "editor" });
  }
  return async (draft, at) => {
    const placeholder = "Where the model answers";
    const answer = await askChoice({ title: TITLE, ...at, placeholder, choices, active: draft.where });
    return kept(draft, answer, (where) => ({ where }));
  };
}

/** What is wrong with an address, in the words of the reader of specs. */
function checkAddress(text: string): string | undefined {
  if (!/^https?:/i.test(text)) return "Write the address with https://, or http:// on this machine.";
  if (text.includes("#")) return "Leave out the #; the model is asked for next.";
  const [first] = parseModelSpec(`${text}#model`).diagnostics;
  if (first === undefined) return undefined;
  const isPlain = parseModelSpec(`${text}#model`, { allowPlainHttp: true }).value !== undefined;
  return `${first.message} ${isPlain ? "Use https, or a tunnel that ends on this machine." : (first.next ?? "")}`;
}

const addressStep: Step = async (draft, at) => {
  const answer = await askText({
    title: TITLE,
    ...at,
    prompt: "Address of the endpoint, up to /v1",
    placeholder: "http://127.0.0.1:8000/v1",
    value: draft.address ?? "",
    validate: checkAddress,
  });
  return kept(draft, answer, (address) => ({ address }));
};

function specOf({ where, address }: Draft, model: string): string {
  return where === "custom" ? `${address ?? ""}#${model}` : `openai:${model}`;
}

function endpointOf(spec: string | undefined): Endpoint | undefined {
  const { value } = parseModelSpec(spec ?? "");
  return value?.kind === "endpoint" ? value.endpoint : undefined;
}

const modelStep: Step = async (draft, at) => {
  const former = endpointOf(draft.spec)?.model;
  const fallback = draft.where === "openai" && draft.role === "teacher" ? TEACHER : "";
  const answer = await askText({
    title: TITLE,
    ...at,
    prompt: "Model, as the endpoint calls it",
    placeholder: draft.where === "openai" ? TEACHER : "qwen3-8b",
    value: former ?? fallback,
    validate: (text) => (text === "" ? "Name the model." : undefined),
  });
  return kept(draft, answer, (model) => ({ spec: specOf(draft, model) }));
};

function editorModelStep(models: readonly vscode.LanguageModelChat[]): Step {
  const choices = models.map(({ name, vendor, family, maxInputTokens }) => ({
    label: name,
    description: `${vendor}/${family} · ${maxInputTokens} tokens`,
    value: editorModelId(vendor, family),
  }));
  return async (draft, at) => {
    const placeholder = "Chat model of VS Code";
    const answer = await askChoice({ title: TITLE, ...at, placeholder, choices, active: draft.spec });
    return kept(draft, answer, (spec) => ({ spec, key: { kind: "as-is" } }));
  };
}

const KEEP: KeyAnswer = { kind: "as-is" };
const FORGET: KeyAnswer = { kind: "forget" };

function keyStep(keys: KeyStore): Step {
  return async (draft, at) => {
    const endpoint = endpointOf(draft.spec);
    const origin = endpoint?.origin ?? "";
    const stored = (await keys.keyFor(origin)) !== undefined;
    const ask = async (): Promise<Answer<Draft>> => {
      const kind = stored ? await askStored(origin, at) : "give";
      if (isLeaving(kind)) return kind;
      if (kind !== "give") return { ...draft, key: kind === "keep" ? KEEP : FORGET };
      const given = await askKey(origin, endpoint?.loopback ?? false, at);
      return given === BACK && stored ? ask() : kept(draft, given, keyDraft);
    };
    return ask();
  };
}

function keyDraft(key: string): Draft {
  return { key: key === "" ? KEEP : { kind: "give", key } };
}

function askStored(
  origin: string,
  at: { step: number; total: number },
): Promise<Answer<"keep" | "give" | "forget">> {
  const choices = [
    { label: "$(key) Use the stored key", value: "keep" },
    { label: "$(edit) Give another key", value: "give" },
    { label: "$(trash) Forget the stored key", value: "forget" },
  ] as const;
  return askChoice({
    title: TITLE,
    ...at,
    placeholder: `A key for ${origin} is stored`,
    choices,
    active: "keep",
  });
}

function askKey(
  origin: string,
  optional: boolean,
  at: { step: number; total: number },
): Promise<Answer<string>> {
  const none = optional ? " Leave it empty if the endpoint needs none." : "";
  return askText({
    title: TITLE,
    ...at,
    prompt: `Key for ${origin}. It goes into VS Code's secret storage, and is sent there and nowhere else.${none}`,
    placeholder: optional ? "No key" : "Key",
    value: "",
    password: true,
    validate: (text) => {
      if (text === "") return optional ? undefined : `${origin} needs a key.`;
      return /^[\u0021-\u007e]+$/.test(text) ? undefined : "A key has no spaces and no special letters.";
    },
  });
}

const priceStep: Step = async (draft, at) => {
  const answer = await askText({
    title: TITLE,
    ...at,
    prompt:
      "Dollars for a million tokens, in/out. Leave it empty if you do not know; 0/0 where it costs nothing.",
    placeholder: "2.50/10",
    value: draft.price ?? "",
    validate: (text) => {
      const [first] = text === "" ? [] : parsePrice(text).diagnostics;
      return first === undefined ? undefined : `${first.message} ${first.next ?? ""}`;
    },
  });
  return kept(draft, answer, (price) => ({ price: price === "" ? undefined : price }));
};

const testStep: Step = async (draft, at) => {
  const to = endpointOf(draft.spec)?.origin ?? draft.spec;
  const choices = [
    { label: "$(play) Send a test message", detail: `One short message goes to ${to}.`, value: true },
    { label: "$(save) Keep it without a test", detail: "Nothing is sent now.", value: false },
  ];
  const placeholder = `Use ${draft.spec}`;
  const answer = await askChoice({ title: TITLE, ...at, placeholder, choices, active: draft.test ?? true });
  return kept(draft, answer, (test) => ({ test }));
};

/** A price is asked for only where no list knows it. */
function asksPrice({ where, spec }: Draft): boolean {
  const endpoint = endpointOf(spec);
  return where === "custom" || (endpoint !== undefined && listPrice(endpoint) === undefined);
}

/** Asks step by step, with a way back; undefined when the person leaves. `role`: asked for where it is not given. */
export async function askForModel(keys: KeyStore, role: Role | undefined): Promise<ModelAnswers | undefined> {
  const models = await vscode.lm.selectChatModels({});
  const first = [...(role === undefined ? [roleStep] : []), whereStep(models)];
  const stepsFor = (draft: Draft): readonly Step[] => {
    if (draft.where === "editor") return [...first, editorModelStep(models), testStep];
    const address = draft.where === "custom" ? [addressStep] : [];
    return [
      ...first,
      ...address,
      modelStep,
      keyStep(keys),
      ...(asksPrice(draft) ? [priceStep] : []),
      testStep,
    ];
  };
  const draft = await askInTurn<Draft>(role === undefined ? {} : { role }, stepsFor);
  if (draft?.role === undefined || draft.spec === undefined) return undefined;
  const { spec, key = KEEP, price, test = false } = draft;
  return { role: draft.role, spec, key, price: draft.where === "editor" ? undefined : price, test };
}
