export const OPENAI_ORIGIN = "https://api.openai.com";

/**
 * Where keys are kept, each for one origin (scheme, host, port). A key goes to that origin and nowhere else, so a store
 * must never answer with a key that was given for another one.
 */
export interface KeyStore {
  /** Undefined where no key was given for this origin. */
  keyFor(origin: string): Promise<string | undefined>;
  /** What a person does to give a key for this origin, as a sentence. */
  howToGive(origin: string): string;
}

/** No labels that are empty or begin or end with a hyphen: such hosts do not exist, and their variables could be another's. */
const HOST_NAME = /^[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)*$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/**
 * The environment variable with the key of an origin: `OPENAI_API_KEY` for OpenAI itself, else `HASP_KEY_<HOST>_<PORT>`
 * with `.` as `_` and `-` as `__`. Two origins never share one, except that the scheme is not told apart where hosts and
 * ports are equal. Undefined for a host that has no such name.
 */
export function keyVariable(origin: string): string | undefined {
  if (origin === OPENAI_ORIGIN) return "OPENAI_API_KEY";
  if (!URL.canParse(origin)) return undefined;
  const { hostname, port, protocol } = new URL(origin);
  const host = variablePart(hostname);
  const number = port === "" ? DEFAULT_PORTS[protocol] : port;
  return host === undefined || number === undefined ? undefined : `HASP_KEY_${host}_${number}`;
}

function variablePart(hostname: string): string | undefined {
  if (HOST_NAME.test(hostname)) return hostname.replaceAll("-", "__").replaceAll(".", "_").toUpperCase();
  // No host name begins with an underscore, so an address cannot share a variable with one.
  if (hostname.startsWith("[")) return `_${hostname.slice(1, -1).replaceAll(":", "_").toUpperCase()}`;
  return undefined;
}

/** A served student that asks for a key. */
export interface ServedKey {
  /** As a model spec: `http://127.0.0.1:8123/v1#student`. */
  readonly address: string;
  readonly key: string;
}

/** As `keys`, with the key of the student that is served at present, for its origin alone. */
export function withStudent(keys: KeyStore, student: () => ServedKey | undefined): KeyStore {
  return {
    ...keys,
    async keyFor(origin) {
      const served = student();
      return served !== undefined && originOf(served.address) === origin ? served.key : keys.keyFor(origin);
    },
  };
}

/** The origin of an address on this machine: a student is served nowhere else. */
function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.hostname === "127.0.0.1" ? url.origin : undefined;
}
