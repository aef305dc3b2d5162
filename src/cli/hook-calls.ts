import type { HookHost } from "../agents/hook/event.ts";
import { HOST_CONFIGS } from "../agents/hook/install/host-configs.ts";
import { counted } from "../model/counted.ts";
import { printableLine } from "../model/printable.ts";
import { deadHookCheck, type DeadHookReport } from "../platform/dead-hooks.ts";
import { nodeFiles } from "../platform/files.ts";
import type { Terminal } from "./terminal.ts";

/** `problem`: why nothing was compared. */
export interface ComparedCalls extends DeadHookReport {
  readonly problem?: string;
}

/** The calls of these hosts' latest sessions in their own logs, compared with our record. */
export async function comparedCalls(root: string, hosts: readonly HookHost[]): Promise<ComparedCalls> {
  try {
    const { sessions, notLookedAt } = await deadHookCheck(nodeFiles()).check(root);
    return { sessions: sessions.filter(({ host }) => hosts.includes(host)), notLookedAt };
  } catch (error) {
    return { sessions: [], notLookedAt: 0, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Findings that are shown; --json has all. */
const SHOWN = 10;

export function printCalls(terminal: Terminal, { sessions, notLookedAt, problem }: ComparedCalls): void {
  if (problem !== undefined)
    terminal.line(`! calls cannot be compared with the hosts' own logs: ${printableLine(problem)}`);
  for (const [host, ofHost] of Map.groupBy(sessions, (session) => session.host)) {
    const sum = (key: "ran" | "judged" | "leftOut"): number => ofHost.reduce((n, one) => n + one[key], 0);
    const leftOut = sum("leftOut") === 0 ? "" : `, ${sum("leftOut")} left out by the hooks' matcher`;
    terminal.line(
      `${HOST_CONFIGS[host].title}'s own log: ${counted(sum("ran"), "call")} ran in ${counted(ofHost.length, "session")}, HASP judged ${sum("judged")}${leftOut}`,
    );
  }
  if (notLookedAt > 0) terminal.line(`    ${counted(notLookedAt, "older session")} not compared`);
  const findings = sessions.flatMap((session) => session.findings);
  terminal.diagnostics(findings.slice(0, SHOWN));
  if (findings.length > SHOWN) terminal.line(`    ${findings.length - SHOWN} more: --json has all`);
}
