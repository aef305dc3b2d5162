import * as vscode from "vscode";
import { type Endpoint, parseModelSpec } from "../../llm/endpoint.ts";
import type { KeyStore } from "../../llm/keys.ts";
import { listModels } from "../../llm/list-models.ts";
import { listPrice, parsePrice } from "../../llm/price.ts";
import { oneLine } from "../../llm/redact.ts";
import { type Answer, askInTurn, BACK, isLeaving, type Place, step, type WizardStep } from "../in-turn.ts";
import { askChoice, askText, type Choice, choiceStep, textStep } from "../steps.ts";
import { plainLabel } from "../plain-label.ts";
import { allowPlainHttp, parseSpec, type Role } from "./chosen-model.ts";
import { editorModelId } from "./vscode-model.ts";
import { askWhere, type Where, type WhereServices } from "./where.ts";

export type KeyAnswer =
  | { readonly kind: "as-is" }
  | { readonly kind: "give"; readonly key: string }
  | { readonly kind: "forget" };

export interface ModelAnswers {
  readonly role: Role;
  readonly spec: string;
  readonly key: KeyAnswer;
  /** Dollars per million tokens, as `2.50/10`; undefined where the list knows it or nobody does. */
  readonly price: string | undefined;
  /** Whether one message may be sent now. */
  readonly test: boolean;
}

interface Draft extends Partial<ModelAnswers> {
  readonly where?: Where;
  /** Base URL of a custom endpoint. */
  readonly address?: string;
  /** The origin of that address, where plain http to it needed a yes when it was given. */
  readonly plainOrigin?: string | undefined;
}

export interface WizardServices extends WhereServices {
  readonly keys: KeyStore;
}

type Step = WizardStep<Draft>;

const TITLE = "HASP: Configure Model";
/** The teacher that the method pins (SPEC §4). */
const TEACHER = "gpt-4o-2024-11-20";
/** How long an endpoint may take to name its models; then the name is typed. */
const LIST_MS = 4_000;
const KEEP: KeyAnswer = { kind: "as-is" };
/** In place of an answer: the key is asked for next. */
const GIVE = "give";

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

const roleStep: Step = choiceStep("role", () => ({
  placeholder: "Role of the model",
  choices: ROLE_CHOICES,
}));

function whereStep(services: WizardServices, models: readonly vscode.LanguageModelChat[]): Step {
  return step(
    ({ where }, at) => askWhere(at, services, { models, active: where }),
    (where, draft) => ({
      where,
      price: where.price,
      address: where.address ?? draft.address ?? "",
      ...(where.spec !== undefined && { spec: where.spec, key: KEEP }),
      // One click is all: the test is one short message to a server of this machine.
      ...(where.kind === "local" && { test: true }),
    }),
  );
}

/** Why an address cannot be used, in the words of the reader of specs. One that a yes would allow can: the yes is asked for next. */
function checkAddress(text: string): string | undefined {
  if (!/^https?:/i.test(text)) return "Write the address with https://, or http:// on this machine.";
  if (text.includes("#")) return "Leave out the #; the model is asked for next.";
  const [first] = parseModelSpec(`${text}#model`, { isPlainHttpAllowed: () => true }).diagnostics;
  return first === undefined ? undefined : `${first.message} ${first.next ?? ""}`;
}

/** The origin of an address that is refused without a yes. */
function originWithoutYes(address: string): string | undefined {
  return parseSpec(`${address}#model`).value === undefined ? new URL(address).origin : undefined;
}

const addressStep: Step = textStep(
  ({ address = "" }) => ({
    prompt: "Address of the endpoint, up to /v1",
    placeholder: "http://127.0.0.1:8000/v1",
    value: address,
    validate: checkAddress,
  }),
  (address) => ({ address, plainOrigin: originWithoutYes(address) }),
);

const plainHttpStep: Step = async (draft, at) => {
  const { plainOrigin = "" } = draft;
  const choices = [
    {
      label: "$(arrow-left) Give another address",
      detail: "https, or a tunnel that ends on this machine, keeps key and texts private.",
      value: false,
    },
    {
      label: `$(unlock) Use plain http to ${plainOrigin}`,
      detail: "Everybody in that network can read the key and all texts. Kept for this address.",
      value: true,
    },
  ];
  const placeholder = `Plain http to ${plainOrigin} is not encrypted`;
  const answer = await askChoice(at, { placeholder, choices });
  if (isLeaving(answer)) return answer;
  if (!answer) return BACK;
  await allowPlainHttp(plainOrigin);
  return draft;
};

function specOf({ where, address }: Draft, model: string): string {
  return where?.kind === "custom" ? `${address ?? ""}#${model}` : `openai:${model}`;
}

function endpointOf(spec: string | undefined): Endpoint | undefined {
  const { value } = parseSpec(spec ?? "");
  return value?.kind === "endpoint" ? value.endpoint : undefined;
}

/** Before the model is known. */
const placeOf = (draft: Draft): Endpoint | undefined => endpointOf(specOf(draft, "model"));

const OTHER_MODEL = "";

/** The models that the endpoint names, or why it names none. */
async function offeredModels(
  draft: Draft,
  { keys, get }: WizardServices,
): Promise<{ readonly models: readonly string[]; readonly why?: string }> {
  const endpoint = placeOf(draft);
  if (endpoint === undefined) return { models: [] };
  const { key = KEEP } = draft;
  const stored = key.kind === "as-is" ? await keys.keyFor(endpoint.origin) : undefined;
  const title = `HASP: reading the models of ${endpoint.origin}`;
  const signal = AbortSignal.timeout(LIST_MS);
  try {
    const models = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      listModels(endpoint, key.kind === "give" ? key.key : stored, get, signal),
    );
    return { models };
  } catch (error) {
    const why = signal.aborted ? `no answer within ${LIST_MS / 1000} s` : (error as Error).message;
    return { models: [], why: oneLine(why, 120) };
  }
}

function askModelName(draft: Draft, at: Place, why?: string): Promise<Answer<string>> {
  const isOpenAi = draft.where?.kind === "openai";
  const reason = why === undefined ? "" : ` Its list of models cannot be read: ${why}.`;
  return askText(at, {
    prompt: `Model, as the endpoint calls it.${reason}`,
    placeholder: isOpenAi ? TEACHER : "qwen3-8b",
    value: formerModel(draft) ?? (isOpenAi && draft.role === "teacher" ? TEACHER : ""),
    validate: (text) => (text === "" ? "Name the model." : undefined),
  });
}

const formerModel = ({ spec }: Draft): string | undefined => endpointOf(spec)?.model;

async function askModel(draft: Draft, at: Place, services: WizardServices): Promise<Answer<string>> {
  const { models, why } = await offeredModels(draft, services);
  const choices: Choice<string>[] = [
    ...models.map((id) => ({ label: plainLabel(id), value: id })),
    { label: "$(edit) Another model …", value: OTHER_MODEL },
  ];
  const active = formerModel(draft) ?? (draft.role === "teacher" ? TEACHER : undefined);
  const question = { placeholder: "Model of the endpoint", choices, active };
  for (;;) {
    const listed = models.length === 0 ? OTHER_MODEL : await askChoice(at, question);
    if (listed !== OTHER_MODEL) return listed;
    const named = await askModelName(draft, at, why);
    if (named !== BACK || models.length === 0) return named;
  }
}

function modelStep(services: WizardServices): Step {
  return step(
    (draft, at) => askModel(draft, at, services),
    (model, draft) => ({ spec: specOf(draft, model) }),
  );
}

function editorModelStep(models: readonly vscode.LanguageModelChat[]): Step {
  const choices = models.map(({ name, vendor, family, maxInputTokens }) => ({
    label: name,
    description: `${vendor}/${family} · ${maxInputTokens} tokens`,
    value: editorModelId(vendor, family),
  }));
  const placeholder = "Chat model of VS Code";
  return step(
    ({ spec }, at) => askChoice(at, { placeholder, choices, active: spec }),
    (spec) => ({ spec, key: KEEP }),
  );
}

function keyStep(keys: KeyStore): Step {
  const ask = async (draft: Draft, at: Place): Promise<Answer<KeyAnswer>> => {
    const endpoint = placeOf(draft);
    const origin = endpoint?.origin ?? "";
    const isStored = (await keys.keyFor(origin)) !== undefined;
    for (;;) {
      const chosen = isStored ? await askStored(origin, at) : GIVE;
      if (chosen !== GIVE) return chosen;
      const key = await askKey(origin, endpoint?.needsKey === false, at);
      if (key === "") return KEEP;
      if (key !== BACK || !isStored) return isLeaving(key) ? key : { kind: "give", key };
    }
  };
  return step(ask, (key) => ({ key }));
}

function askStored(origin: string, at: Place): Promise<Answer<KeyAnswer | typeof GIVE>> {
  const choices: Choice<KeyAnswer | typeof GIVE>[] = [
    { label: "$(key) Use the stored key", value: KEEP },
    { label: "$(edit) Give another key", value: GIVE },
    { label: "$(trash) Forget the stored key", value: { kind: "forget" } },
  ];
  return askChoice(at, { placeholder: `A key for ${origin} is stored`, choices });
}

function askKey(origin: string, optional: boolean, at: Place): Promise<Answer<string>> {
  const none = optional ? " Leave it empty if the endpoint needs none." : "";
  return askText(at, {
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

const priceStep: Step = textStep(
  ({ price = "" }) => ({
    prompt:
      "Dollars for a million tokens, in/out. Leave it empty if you do not know; 0/0 where it costs nothing.",
    placeholder: "2.50/10",
    value: price,
    validate: (text) => {
      const [first] = text === "" ? [] : parsePrice(text).diagnostics;
      return first === undefined ? undefined : `${first.message} ${first.next ?? ""}`;
    },
  }),
  (price) => ({ price: price === "" ? undefined : price }),
);

const testStep: Step = choiceStep("test", ({ spec }) => {
  const to = endpointOf(spec)?.origin ?? spec;
  const choices = [
    { label: "$(play) Send a test message", detail: `One short message goes to ${to}.`, value: true },
    { label: "$(save) Keep it without a test", detail: "Nothing is sent now.", value: false },
  ];
  return { placeholder: `Use ${spec}`, choices };
});

/** A price is asked for only where no list knows it. */
function asksPrice({ where, spec }: Draft): boolean {
  const endpoint = endpointOf(spec);
  return where?.kind === "custom" || (endpoint !== undefined && listPrice(endpoint) === undefined);
}

/** Asks step by step, with a way back; undefined when the person leaves. `role`: asked for where it is not given. */
export async function askForModel(
  services: WizardServices,
  role: Role | undefined,
): Promise<ModelAnswers | undefined> {
  const models = await vscode.lm.selectChatModels({});
  const first = [...(role === undefined ? [roleStep] : []), whereStep(services, models)];
  const stepsFor = (draft: Draft): readonly Step[] => {
    if (draft.where?.kind === "local") return first;
    if (draft.where?.kind === "configured") return [...first, testStep];
    if (draft.where?.kind === "editor") return [...first, editorModelStep(models), testStep];
    const plain = draft.plainOrigin === undefined ? [] : [plainHttpStep];
    const isTyped = draft.where?.kind === "custom" && draft.where.address === undefined;
    const address = isTyped ? [addressStep, ...plain] : [];
    return [
      ...first,
      ...address,
      keyStep(services.keys),
      modelStep(services),
      ...(asksPrice(draft) ? [priceStep] : []),
      testStep,
    ];
  };
  const draft = await askInTurn<Draft>(TITLE, role === undefined ? {} : { role }, stepsFor);
  if (draft?.role === undefined || draft.spec === undefined) return undefined;
  const { spec, key = KEEP, price, test = false } = draft;
  return { role: draft.role, spec, key, price: draft.where?.kind === "editor" ? undefined : price, test };
}
