import { checked } from "../../app/refusal.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { JobSpec } from "../../model/job.ts";
import type { NamedTarget } from "../../model/target.ts";
import type { RemoteLink } from "./ports.ts";
import { checkProbe, ownPrograms, probeTarget, rehearsed } from "./prepare.ts";
import type { Probe } from "./replies.ts";
import { withTarget } from "./refusals.ts";

/** A look at one side of a target. */
export interface TargetCheck {
  readonly name: "reach" | "jobs" | "training" | "scheduler";
  /** Undefined: all is well. */
  readonly problem: Diagnostic | undefined;
}

/** A target as it was found. */
export interface TargetReport {
  readonly probe: Probe | undefined;
  readonly checks: readonly TargetCheck[];
}

/** As little as any job asks for. */
const tinyJob = ({ target: { gpu } }: NamedTarget): Pick<JobSpec, "resources"> => ({
  resources: { hours: 0.1, ...(gpu !== undefined && { gpus: 1 }) },
});

const problemOf = ({ diagnostics }: Checked<unknown>): Diagnostic | undefined => diagnostics.at(-1);

/** Looks at a target: its folder, its programs, and whether SLURM would take a tiny job there. Nothing is booked. */
export async function testTarget(link: RemoteLink, named: NamedTarget): Promise<TargetReport> {
  const reached = await checked(async () => withTarget(named, async () => probeTarget(link, named.target)));
  const probe = reached.value;
  const reach: TargetCheck = { name: "reach", problem: problemOf(reached) };
  if (probe === undefined) return { probe, checks: [reach] };
  const fits = async (isTrainer: boolean): Promise<Diagnostic | undefined> => {
    const seen = await checked(async () => {
      checkProbe(named, probe, { isTrainer });
      return ownPrograms(named, probe) ?? true;
    });
    return problemOf(seen);
  };
  // Without Node, the first job makes an environment that has one.
  const jobs = await fits(probe.node === null);
  const checks: TargetCheck[] = [
    reach,
    { name: "jobs", problem: jobs },
    { name: "training", problem: await fits(true) },
  ];
  if (named.target.kind === "slurm" && jobs === undefined) {
    const asked = await checked(async () =>
      withTarget(named, async () => rehearsed(link, named, tinyJob(named), probe.root)),
    );
    checks.push({ name: "scheduler", problem: problemOf(asked) });
  }
  return { probe, checks };
}
