import type { Domain } from "../domains/domain.ts";
import type { JudgePorts, OpenedJudge } from "../scoring/judge.ts";
import { refuse } from "./refusal.ts";

/** Opens the judge of a domain. Refuses where it cannot work here (HASP547). To be closed. */
export async function openJudge(
  { name, judge }: Pick<Domain, "name" | "judge">,
  ports: JudgePorts,
): Promise<OpenedJudge> {
  try {
    return await judge.open(ports);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse(
      "HASP547",
      `The judge of the domain ${name} (${judge.name}) cannot be opened: ${why}.`,
      "Mend what it needs; without it no answer has a verdict.",
    );
  }
}
