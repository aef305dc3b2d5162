import { keyVariable, type KeyStore } from "../llm/keys.ts";

/** Keys from environment variables, each named after the one origin it is for. An empty variable counts as none. */
export function environmentKeys(environment: Readonly<Record<string, string | undefined>>): KeyStore {
  return {
    keyFor: async (origin) => {
      const name = keyVariable(origin);
      const value = name === undefined ? undefined : environment[name]?.trim();
      return value === "" ? undefined : value;
    },
    howToGive(origin) {
      const name = keyVariable(origin);
      return name === undefined
        ? `No environment variable can hold a key for ${origin}: use another name of this host.`
        : `Set the environment variable ${name} to the key for ${origin}.`;
    },
  };
}
