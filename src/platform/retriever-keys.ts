import { SERPAPI_ORIGIN } from "../domains/passages/retrievers/serpapi.ts";
import type { KeyStore } from "../llm/keys.ts";
import { environmentKeys } from "./env-keys.ts";

const SERPAPI_VARIABLE = "SERPAPI_API_KEY";

/** Keys of retrievers from environment variables: `SERPAPI_API_KEY` for SerpAPI itself, else as for models, one for each origin. */
export function retrieverKeys(environment: Readonly<Record<string, string | undefined>>): KeyStore {
  const others = environmentKeys(environment);
  return {
    keyFor: async (origin) => {
      if (origin !== SERPAPI_ORIGIN) return others.keyFor(origin);
      const value = environment[SERPAPI_VARIABLE]?.trim();
      return value === "" ? undefined : value;
    },
    howToGive: (origin) =>
      origin === SERPAPI_ORIGIN
        ? `Set the environment variable ${SERPAPI_VARIABLE} to the key for ${origin}.`
        : others.howToGive(origin),
  };
}
