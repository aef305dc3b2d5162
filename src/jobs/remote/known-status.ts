import { z } from "../../model/zod.ts";
import { JOB_STATUSES, type JobRecord } from "../../model/job.ts";
import { parseJson } from "../../model/read-json.ts";
import type { RemoteFiles } from "./ports.ts";

const statusSchema = z.object({
  status: z.enum(JOB_STATUSES),
  tasks: z
    .object({ total: z.number(), succeeded: z.number(), running: z.number(), failed: z.number() })
    .optional(),
  unreachable: z.string().optional(),
  attempt: z.number().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  command: z.number().optional(),
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  reason: z.string().optional(),
  lastLines: z.array(z.string()).optional(),
});

const fileIn = (folder: string): string => `${folder}/status.json`;

/** Keeps how far the job was, for whoever looks without a link. */
export async function keepStatus(files: RemoteFiles, folder: string, status: JobRecord): Promise<void> {
  if (JSON.stringify(await knownStatus(files, folder)) === JSON.stringify(status)) return;
  await files.writeAtomic(fileIn(folder), new TextEncoder().encode(`${JSON.stringify(status)}\n`));
}

/** How far the job was when its target was last asked; `submitted` where nobody has asked. */
export async function knownStatus(
  files: Pick<RemoteFiles, "stat" | "read">,
  folder: string,
): Promise<JobRecord> {
  const stat = await files.stat(fileIn(folder));
  if (stat === undefined) return { status: "submitted" };
  const text = new TextDecoder().decode(await files.read(fileIn(folder), 0, stat.size));
  return (statusSchema.safeParse(parseJson(text)).data ?? { status: "submitted" }) as JobRecord;
}
