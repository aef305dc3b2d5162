import { html, nothing } from "lit";
import { DEGRADATIONS } from "../../src/model/hook-degradations.ts";
import type { Decision } from "../../src/model/decision.ts";
import { type GLYPHS, icon } from "../shared/icon.ts";

/** What a coding agent's host was answered (docs/hooks.md, "The record"). */
interface HookAnswer {
  readonly host: string;
  readonly event: string;
  readonly verdict: string;
  readonly output: unknown;
  readonly degraded: readonly string[];
  readonly ms: number | undefined;
}

const HOSTS: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  vscode: "VS Code",
  copilot: "Copilot",
  codex: "Codex",
};

const UNKNOWN = ["question", "something this version does not know"] as const;

/** What the answer asked of the host. */
const ASKED: Readonly<Record<string, readonly [glyph: keyof typeof GLYPHS, words: string]>> = {
  allow: ["pass", "to go on as it was"],
  change: ["edit", "to run the call with other inputs"],
  refuse: ["circle-slash", "not to run the call"],
  hold: ["debug-pause", "not to let the agent stop"],
  missed: ["warning", "nothing: it could not be judged in time"],
};

function recordIn(text: unknown): Record<string, unknown> {
  try {
    const value: unknown = typeof text === "string" ? JSON.parse(text) : undefined;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function answerIn({ value }: Decision): HookAnswer {
  const { host, event, verdict, output, degraded, ms } = recordIn(value);
  return {
    host: typeof host === "string" ? (HOSTS[host] ?? host) : "The host",
    event: typeof event === "string" ? event : "",
    verdict: typeof verdict === "string" ? verdict : "",
    output,
    degraded: Array.isArray(degraded) ? degraded.filter((one) => typeof one === "string") : [],
    ms: typeof ms === "number" ? ms : undefined,
  };
}

function isSaid(output: unknown): boolean {
  return (
    typeof output === "string" ||
    (typeof output === "object" && output !== null && Object.keys(output).length > 0)
  );
}

function degradedIn(name: string): string {
  return Object.hasOwn(DEGRADATIONS, name) ? DEGRADATIONS[name as keyof typeof DEGRADATIONS] : name;
}

/** The answer to the host in words, and the very text that went out. */
export function hookAnswerView(decision: Decision): unknown {
  const { host, event, verdict, output, degraded, ms } = answerIn(decision);
  const [glyph, words] = (Object.hasOwn(ASKED, verdict) ? ASKED[verdict] : undefined) ?? UNKNOWN;
  const also = verdict === "allow" && isSaid(output) ? ", and what the agent is to read" : "";
  const text = typeof output === "string" ? output : JSON.stringify(output, undefined, 2);
  return html`<p>
      ${icon(glyph, verdict === "allow" ? "quiet" : "changed")} At ${event}, ${host} was told
      ${words}${also}${ms === undefined ? nothing : html` <span class="quiet">in ${ms} ms</span>`}.
    </p>
    ${degraded.map((name) => html`<p class="quiet" dir="auto">${degradedIn(name)}</p>`)}
    ${isSaid(output) ? html`<div class="decision-value"><hasp-clamp .text=${text} lines="4" what="the answer"></hasp-clamp></div>` : nothing}`;
}

/** What Γ wanted and the host cannot do, and why. */
export function hookDegradedView({ reason, value }: Decision): unknown {
  const { type, arg } = recordIn(value);
  const wanted = typeof type === "string" ? `${type} ${typeof arg === "string" ? arg : ""}` : "";
  return html`<p dir="auto">${degradedIn(reason)}</p>
    ${wanted === "" ? nothing : html`<div class="decision-value"><span class="quiet">wanted:</span> <hasp-clamp .text=${wanted} lines="2" what="the action that was wanted"></hasp-clamp></div>`}`;
}

/** Whether the host did as it was told, read off its next event. */
export function hookFollowedView({ reason, value }: Decision): unknown {
  return html`<p dir="auto">
    ${value === true ? icon("check", "quiet") : icon("warning", "changed")} ${reason}
  </p>`;
}
