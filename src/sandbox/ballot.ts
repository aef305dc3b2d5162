import type { PfCall, PfState, PfVote } from "./pf-host.ts";
import { FRESH_STATE } from "./pf-host.ts";
import { readVotes } from "./reply.ts";
import type { SandboxPort } from "./sandbox-port.ts";
import type { Strikes } from "./strikes.ts";
import { crossingDeadline, LIMITS, type Fault, type Reply, type VoteRequest, type VotingPf } from "./wire.ts";

const errorVote = (skillId: string, { message, line }: Fault): PfVote => ({
  skillId,
  kind: "error",
  message,
  ...(line !== undefined && { line }),
});

async function cross(
  port: SandboxPort,
  pfs: readonly VotingPf[],
  { context, proposed }: PfCall,
  stepMs: number,
  fresh: boolean,
): Promise<Reply<readonly PfVote[]>> {
  const request: VoteRequest = { mode: "vote", pfs, question: { context, proposed } };
  const text = JSON.stringify(request);
  if (text.length > LIMITS.requestChars)
    return { broken: { cause: "host", message: `was not run: the request has ${text.length} characters` } };
  const skillIds = pfs.map(({ skillId }) => skillId);
  const deadlineMs = crossingDeadline(pfs.length, stepMs);
  return readVotes(await port.judge({ skillIds, request: text, deadlineMs, fresh }), skillIds);
}

/**
 * Collects votes, whatever the PFs do: as in the jury (jury.ts), a crossing that breaks the sandbox is repeated for each PF alone, and what
 * still breaks is that PF's own doing.
 */
export async function collectVotes(
  port: SandboxPort,
  strikes: Strikes,
  skillIds: readonly string[],
  states: ReadonlyMap<string, PfState>,
  call: PfCall,
  stepMs: number,
): Promise<readonly PfVote[]> {
  const pfs = skillIds.map((skillId) => ({ skillId, memory: (states.get(skillId) ?? FRESH_STATE).memory }));
  const running = pfs.filter(({ skillId }) => strikes.barred(skillId) === undefined);
  const together = running.length === 0 ? { value: [] } : await cross(port, running, call, stepMs, false);
  if ("value" in together && together.value.length === pfs.length) return together.value;
  const found = new Map(("value" in together ? together.value : []).map((vote) => [vote.skillId, vote]));
  const votes: PfVote[] = [];
  for (const pf of pfs) votes.push(found.get(pf.skillId) ?? (await alone(pf)));
  return votes;

  async function alone(pf: VotingPf): Promise<PfVote> {
    const barred = strikes.barred(pf.skillId);
    if (barred !== undefined) return errorVote(pf.skillId, barred);
    const reply = await cross(port, [pf], call, stepMs, true);
    const [vote] = "value" in reply ? reply.value : [];
    if (vote !== undefined) return vote;
    const fault: Fault = "broken" in reply ? reply.broken : { cause: "host", message: "gave no answer" };
    strikes.add(pf.skillId, fault);
    return errorVote(pf.skillId, fault);
  }
}
