import type { HookSettings } from "../../../evaluation/hook-settings.ts";
import type { JsonRecord } from "../../../trace/formats/records.ts";
import type { HookHost } from "../event.ts";
import type { HookProgram } from "./command-line.ts";

/** Where a host looks: for this user everywhere, for all who work in this project, or for this user in this project. */
export const INSTALL_SCOPES = ["user", "project", "local"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

/** What a call gets that could not be judged. */
export type OnFailure = HookSettings["onFailure"];

/** A configuration file of a host. */
export interface ConfigPlace {
  /** `home`: the user's folder; `config`: the host's own, which its variable of the environment may move; `project`: the project. */
  readonly base: "home" | "config" | "project";
  /** Below that, with `/`. */
  readonly path: string;
}

/** How one host is told to ask us (HOOKS.md, "Host × ability"). */
export interface HostConfig {
  readonly host: HookHost;
  /** What people call it. */
  readonly title: string;
  readonly places: Readonly<Partial<Record<InstallScope, ConfigPlace>>>;
  /** The variable that moves `config`, and where it is otherwise, below the home folder. */
  readonly configFolder?: { readonly variable: string; readonly path: string };
  /** The scope where nobody names one: this user's alone, for a command line names files of this machine. */
  readonly scope: InstallScope;
  /** The file is ours alone; without our entries it goes. */
  readonly own: boolean;
  /** What a new file holds besides the hooks. */
  readonly head: JsonRecord;
  readonly events: readonly string[];
  /** What stands in the list of one event. */
  entry(event: string, program: HookProgram, onFailure?: OnFailure): JsonRecord;
  /** The host can be told to refuse a call where our program does not even start. */
  readonly failsClosed?: true;
  /** What a person has to do in the host afterwards. */
  readonly after?: string;
}

/** Seconds that a host waits: twice the budget of an event, so that our own answer comes first. */
export const TIMEOUT_S = 10;
