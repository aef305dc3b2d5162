import type * as vscode from "vscode";
import type { KeyStore } from "../../llm/keys.ts";
import { COMMANDS } from "../contributions.ts";

/** Keys in VS Code's secret storage, which is the system's keychain where there is one. Each stands under its origin. */
export interface SecretKeys extends KeyStore {
  give(origin: string, key: string): Promise<void>;
  forget(origin: string): Promise<void>;
}

const secretOf = (origin: string): string => `hasp.key:${origin}`;

export function secretKeys(secrets: vscode.SecretStorage): SecretKeys {
  return {
    keyFor: async (origin) => secrets.get(secretOf(origin)),
    howToGive: (origin) => `Run "HASP: ${COMMANDS.configureModel.title}" and give the key for ${origin}.`,
    give: async (origin, key) => secrets.store(secretOf(origin), key),
    forget: async (origin) => secrets.delete(secretOf(origin)),
  };
}

/** As `keys`, with a key that is only tried so far: undefined for none at all. */
export function tryingKey(keys: KeyStore, origin: string, key: string | undefined): KeyStore {
  return { ...keys, keyFor: async (asked) => (asked === origin ? key : keys.keyFor(asked)) };
}
