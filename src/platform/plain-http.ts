import { variables } from "./surroundings.ts";

/** Origins of the user's own network that may be asked over plain http, each after a yes: `HASP_PLAIN_HTTP="http://gpu.lan:8000 http://10.0.0.7"`. */
export function plainHttpOrigins(environment = variables()): ReadonlySet<string> {
  const { HASP_PLAIN_HTTP: listed = "" } = environment;
  const addresses = listed.split(/[\s,]+/).filter((address) => URL.canParse(address));
  return new Set(addresses.map((address) => new URL(address).origin));
}
