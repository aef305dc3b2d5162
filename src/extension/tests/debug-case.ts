import * as vscode from "vscode";
import { foldCase } from "../../domains/fold-case.ts";
import { defaultDomain, domainOf } from "../../domains/registry.ts";
import { type DebugServices, launchDebug } from "../debug/launch.ts";
import type { CasePlace } from "./items.ts";

/** The PF judges a case under the debugger; answers when the session is over, false where there was none. */
export async function debugCase(
  services: DebugServices,
  { skill, test }: CasePlace,
  testRun: vscode.TestRun,
): Promise<boolean> {
  const { context, proposed } = foldCase(test, domainOf(skill.domain) ?? defaultDomain());
  const name = `HASP: ${skill.skillId}, ${test.name}`;
  const remembered = test.memory ?? {};
  const cancelled = testRun.token.onCancellationRequested(() => void vscode.debug.stopDebugging());
  try {
    const task = { skill, context, remembered, proposed, name, place: skill.uri, testRun };
    const session = await launchDebug(services, task);
    await session?.over;
    return session !== undefined;
  } finally {
    cancelled.dispose();
  }
}
