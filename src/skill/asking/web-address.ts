interface Origin {
  readonly scheme: string | undefined;
  readonly host: string;
}

const ADDRESS =
  /^(?:([a-z][a-z0-9+.-]{0,20}):\/\/)?(?:[^\s/?#]{0,500}@)?(\[[0-9a-f:.]{2,60}\]|[a-z0-9.-]{1,253})(?::(\d{1,5}))?(?=[/?#]|$)/i;
const PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** Scheme and host of an address; the scheme undefined where none is written. A port that is not the scheme's own belongs to the host. */
function originOf(address: string): Origin | undefined {
  const [, scheme, host = "", port] = ADDRESS.exec(address) ?? [];
  if (!host.includes(".") && !host.startsWith("[") && host !== "localhost") return undefined;
  const low = scheme?.toLowerCase();
  const isOwn = port === undefined || port === PORTS[low ?? "http"];
  return { scheme: low, host: host.toLowerCase().replace(/\.$/, "") + (isOwn ? "" : `:${port}`) };
}

/**
 * Whether an address goes to the host that a person named, by the same scheme or a stricter one: `https` where they wrote `https`,
 * either where they wrote `http` or none. Without a scheme, programs take `http`.
 */
export function sameOrigin(named: string, address: string): boolean {
  const theirs = originOf(named);
  const ours = originOf(address);
  if (theirs === undefined || ours?.host !== theirs.host) return false;
  const scheme = ours.scheme ?? "http";
  if (theirs.scheme === undefined || theirs.scheme === "http") return scheme === "http" || scheme === "https";
  return scheme === theirs.scheme;
}
