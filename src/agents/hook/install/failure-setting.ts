import type { Diagnostic } from "../../../model/diagnostic.ts";
import { isRecord } from "../../../trace/formats/records.ts";
import { rangeAt, type ConfigText } from "./config-text.ts";
import type { HostConfig, InstallScope, OnFailure } from "./host-config.ts";
import { handlersOf, ourHooks } from "./our-hooks.ts";

/** The setting as a configuration file carries it: one of all projects has none, for a workspace speaks of its own calls. */
export function failureFor(
  { failsClosed }: HostConfig,
  scope: InstallScope,
  onFailure: OnFailure,
): OnFailure {
  return failsClosed === true && scope !== "user" ? onFailure : "open";
}

/** The events whose hooks say that a failure refuses the call, and those that would with the setting closed. */
function blocking(config: HostConfig, read: ConfigText): { readonly are: boolean; readonly could: boolean } {
  const entries = [...ourHooks(config, read)].flatMap(([event, handlers]) => {
    const [handler] = handlersOf(config.entry(event, { file: "hasp", args: ["hook"] }, "closed"));
    return isRecord(handler) && "onFailure" in handler ? handlers : [];
  });
  return { are: entries.some((handler) => "onFailure" in handler), could: entries.length > 0 };
}

/**
 * Where the hooks of a file and the setting `on_failure` say different things of a call that HASP cannot judge (HASP850). `onFailure`: the setting
 * as it is trusted.
 */
export function failureWarning(
  config: HostConfig,
  scope: InstallScope,
  read: ConfigText,
  file: string,
  onFailure: OnFailure,
): Diagnostic | undefined {
  const { are, could } = blocking(config, read);
  if (!could || are === (onFailure === "closed")) return undefined;
  const { host, title, places, scope: usual } = config;
  const wanted = scope === "user" && onFailure === "closed" ? usual : scope;
  const message = are
    ? `The hooks say \`onFailure: "block"\`, and the trusted setting hook.on_failure is open: ${title} refuses calls where HASP does not start.`
    : `The setting hook.on_failure is closed, and the hooks do not say \`onFailure: "block"\`: ${title} runs calls where HASP does not start.`;
  return {
    code: "HASP850",
    severity: "warning",
    message,
    next: `hasp hook install --host ${host} --${wanted in places ? wanted : scope}`,
    file,
    range: rangeAt(read.text, ["hooks"]),
  };
}
