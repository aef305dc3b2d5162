import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { keyVariable, OPENAI_ORIGIN } from "./keys.ts";

/** Where a model answers, over the chat-completions protocol. */
export interface Endpoint {
  /** Without a slash at the end: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Scheme, host and port: what a key is bound to. */
  readonly origin: string;
  /** False on this machine and in a network of one's own. */
  readonly needsKey: boolean;
  readonly model: string;
}

/** What a person names as a policy or teacher. */
export type ModelSpec =
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint }
  | { readonly kind: "scripted"; readonly file: string }
  /** The proposals of a recorded run; `sample` where a person names one of several. */
  | { readonly kind: "recorded"; readonly run: string; readonly sample?: number }
  | { readonly kind: "vscode"; readonly vendor: string; readonly family: string }
  /** The student that the present job serves. Its name stays the same wherever it is served; its replies are kept under it. */
  | { readonly kind: "served"; readonly name: string };

export interface SpecOptions {
  /** A person accepted that key and texts of this origin, in a network of their own, travel unencrypted. Without it, of none. */
  readonly isPlainHttpAllowed?: (origin: string) => boolean;
}

const FORMS =
  "Write `openai:<model>`, `https://<host>/v1#<model>`, `scripted:<file>`, `recorded:<run>` or `vscode:<vendor>/<family>`.";
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** RFC 1918, link-local (RFC 3927, RFC 4291) and unique local (RFC 4193) addresses, in the form that `URL` gives them. */
const OWN_ADDRESS =
  /^((10(\.\d{1,3}){3}|(192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2})|\[(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):[0-9a-f:]*\])$/;
/** A name that public name servers do not resolve. */
const OWN_NAME = /^([a-z0-9_-]+|[a-z0-9_.-]+\.(local|lan))$/;

/**
 * Reads a model spec. Codes HASP601 (no such form), HASP602 (a part is missing or wrong), HASP603 (an address that is not
 * safe to use); ranges are offsets in `text`. Never throws.
 */
export function parseModelSpec(text: string, options: SpecOptions = {}): Checked<ModelSpec> {
  const spec = text.trim();
  const scheme = /^([a-z]+):/i.exec(spec)?.[1]?.toLowerCase();
  const rest = spec.slice((scheme?.length ?? 0) + 1);
  switch (scheme) {
    case "openai":
      return openAi(text, rest);
    case "http":
    case "https":
      return endpointSpec(text, spec, options);
    case "scripted":
      return rest === ""
        ? missing(text, "the file", "scripted:replies.yaml")
        : read({ kind: "scripted", file: rest });
    case "recorded":
      return recorded(text, rest);
    case "vscode":
      return editorModel(text, rest);
    case "served":
      return /^[a-z0-9][a-z0-9.-]*$/.test(rest)
        ? read({ kind: "served", name: rest })
        : missing(text, "the name of the student", "served:e2-1");
    default:
      return failed(text, "HASP601", `${quoted(text)} names no model.`, FORMS);
  }
}

/** True where the host of a URL can only be this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** True where the host of a URL is another machine, of one's own network by its address or name. */
export function isOwnNetwork({ hostname }: URL): boolean {
  return !LOOPBACK.test(hostname) && (OWN_ADDRESS.test(hostname) || OWN_NAME.test(hostname));
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

function failed(text: string, code: string, message: string, next: string): Checked<never> {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: text.length } };
  const diagnostic: Diagnostic = { code, severity: "error", message, next, range };
  return { value: undefined, diagnostics: [diagnostic] };
}

function read<T>(value: T): Checked<T> {
  return { value, diagnostics: [] };
}

function missing(text: string, what: string, example: string): Checked<never> {
  return failed(text, "HASP602", `In ${quoted(text)}, ${what} is missing.`, `Write it as in \`${example}\`.`);
}

function openAi(text: string, model: string): Checked<ModelSpec> {
  if (model.trim() === "") return missing(text, "the model", "openai:gpt-4o-2024-11-20");
  const endpoint = { baseUrl: `${OPENAI_ORIGIN}/v1`, origin: OPENAI_ORIGIN, needsKey: true, model };
  return read({ kind: "endpoint", endpoint });
}

function endpointSpec(text: string, spec: string, options: SpecOptions): Checked<ModelSpec> {
  const hash = spec.indexOf("#");
  const model = hash === -1 ? "" : spec.slice(hash + 1);
  const address = hash === -1 ? spec : spec.slice(0, hash);
  if (!URL.canParse(address)) {
    return failed(
      text,
      "HASP602",
      `${quoted(address)} is no address.`,
      "Write it as in `http://127.0.0.1:8000/v1#qwen`.",
    );
  }
  const url = new URL(address);
  const refusal = refuseAddress(url, options);
  // The text is not repeated: it may hold a password.
  if (refusal !== undefined) return failed(text, "HASP603", refusal.message, refusal.next);
  if (model.trim() === "") return missing(text, "the model after #", `${url.origin}/v1#qwen`);
  const baseUrl = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  return read({
    kind: "endpoint",
    endpoint: { baseUrl, origin: url.origin, needsKey: !isLoopback(url) && !isOwnNetwork(url), model },
  });
}

function refuseAddress(url: URL, options: SpecOptions): { message: string; next: string } | undefined {
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    return {
      message: `The address of ${url.host} carries a user, a password or a query; such parts end up in files and logs.`,
      next: `Leave them out. The key comes from the environment variable ${keyVariable(url.origin) ?? "of its host"}; the editor asks for it.`,
    };
  }
  if (url.protocol !== "http:" || isLoopback(url)) return undefined;
  if (!isOwnNetwork(url)) {
    return {
      message: `${url.origin} is another machine, and over plain http everybody in between can read the key and the texts.`,
      next: "Use https, or a tunnel that ends on this machine.",
    };
  }
  if (options.isPlainHttpAllowed?.(url.origin) === true) return undefined;
  return {
    message: `Plain http to ${url.origin} is not encrypted: everybody in that network can read the key and the texts.`,
    next: `Use https. To accept it for this machine, run \`HASP: Configure Model\`; on the command line, set HASP_PLAIN_HTTP=${url.origin}.`,
  };
}

function recorded(text: string, rest: string): Checked<ModelSpec> {
  const [, run = "", sample] = /^(.*?)(?:#([^#/\\]*))?$/s.exec(rest) ?? [];
  if (run === "") return missing(text, "the run", "recorded:.hasp/runs/first#1");
  if (sample === undefined) return read({ kind: "recorded", run });
  if (/^\d{1,9}$/.test(sample)) return read({ kind: "recorded", run, sample: Number(sample) });
  return failed(
    text,
    "HASP602",
    `${quoted(`#${sample}`)} is no sample.`,
    "Write its number, as in `recorded:.hasp/runs/first#1`.",
  );
}

function editorModel(text: string, rest: string): Checked<ModelSpec> {
  const [, vendor, family] = /^([^/]+)\/(.+)$/.exec(rest) ?? [];
  if (vendor === undefined || family === undefined)
    return missing(text, "the vendor or the family", "vscode:copilot/gpt-4o");
  return read({ kind: "vscode", vendor, family });
}
