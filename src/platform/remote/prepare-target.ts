import { checkProbe, probeTarget, programsOn, type TargetPrograms } from "../../jobs/remote/prepare.ts";
import { withTarget } from "../../jobs/remote/refusals.ts";
import type { RemoteLink, RemotePorts } from "../../jobs/remote/ports.ts";
import { fetchModels, programName, sentAs } from "../../jobs/remote/submit.ts";
import { testTarget, type TargetReport } from "../../jobs/remote/test-target.ts";
import { hashed, upload } from "../../jobs/remote/upload.ts";
import type { NamedTarget } from "../../model/target.ts";
import { remotePorts, type RemoteJobs } from "./remote-jobs.ts";

/** Looks at a target from this machine; nothing is booked there. */
export async function lookAtTarget(jobs: RemoteJobs, named: NamedTarget): Promise<TargetReport> {
  return testTarget(remotePorts(jobs).link(named.target), named);
}

/** Places the program of this build on a target; answers its name there. */
async function sendProgram(ports: RemotePorts, link: RemoteLink, root: string): Promise<string> {
  const files = await hashed(ports, await ports.program());
  await upload(ports, link, root, files);
  const name = programName(ports, files);
  const request = { op: "programs", root, programs: { [name]: sentAs(files) } };
  for await (const _ of link.call(request));
  return name;
}

/**
 * Makes the environment of a target, and downloads models of the hub there, so that the first job begins at once. Refuses as a submission
 * does (app/refusal.ts).
 */
export async function prepareTarget(
  jobs: RemoteJobs,
  named: NamedTarget,
  models: readonly string[],
): Promise<TargetPrograms> {
  const ports = remotePorts(jobs);
  const link = ports.link(named.target);
  return withTarget(named, async () => {
    const probe = await probeTarget(link, named.target);
    checkProbe(named, probe, { isTrainer: true });
    const programs = await programsOn(ports, link, named, probe, true);
    if (models.length === 0) return programs;
    const program = await sendProgram(ports, link, probe.root);
    const spec = { models: [...models], passEnv: ["HF_TOKEN"] };
    await fetchModels({ ports, link, spec }, probe.root, program, programs.python);
    return programs;
  });
}
