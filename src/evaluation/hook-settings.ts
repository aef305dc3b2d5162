/** How `hasp hook` answers (docs/hooks.md); apart from what reads it, so that a hook loads no YAML. */
export interface HookSettings {
  /** What a call gets that could not be judged: it runs, or it is refused. A stop is never held for it. */
  readonly onFailure: "open" | "closed";
  /** What a call with other inputs gets, where the host leaves the choice: the person is asked, or it runs. */
  readonly rewrite: "ask" | "allow";
  /** Milliseconds for one event, from the start of the process. */
  readonly budgetMs: number;
  /** Times that an agent is kept from stopping between two prompts. */
  readonly maxHolds: number;
  /** Sessions become episodes. */
  readonly record: boolean;
}

export const HOOK_DEFAULTS: HookSettings = {
  onFailure: "open",
  rewrite: "ask",
  budgetMs: 5_000,
  maxHolds: 3,
  record: true,
};

/** The keys of `hasp.yaml`. */
export const HOOK_KEYS = {
  on_failure: "onFailure",
  rewrite: "rewrite",
  budget_ms: "budgetMs",
  max_holds: "maxHolds",
  record: "record",
} as const satisfies Readonly<Record<string, keyof HookSettings>>;
