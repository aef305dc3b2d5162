import { STUDENT, TASK, TASKS, type JobCommand } from "../model/job.ts";

/** Several machines that a cluster has given to a job, whose runner is on the first. */
export interface ClusterPlace {
  /** 2 or more. */
  readonly nodes: number;
  /** Host name of the first machine, as the others reach it. */
  readonly address: string;
  /** Free on the first machine: the processes of a training meet there. */
  readonly port: number;
}

/** A command as it is started. */
export interface Launch {
  readonly args: readonly string[];
  /** Machines on each of which it is started once. */
  readonly nodes: number;
}

/** Commands of the trainer that run in several processes. */
const TRAININGS: ReadonlySet<string> = new Set(["sft", "dpo", "distil", "sdft"]);

const numbers = (processes: number, nodes: number): readonly string[] => [
  "--processes",
  String(processes),
  ...(nodes > 1 ? ["--nodes", String(nodes)] : []),
];

/**
 * A command of a job, in as many processes as it asks for on each machine. A training starts through `hasp_trainer launch`, and on several
 * machines on each of them; its preflight is asked about so many processes. Every other command is started as it is, on this machine.
 */
export function launchArguments(
  { program, args, processes = 1 }: Pick<JobCommand, "program" | "args" | "processes">,
  cluster: ClusterPlace | undefined,
): Launch {
  const [flag, module, command = "", ...rest] = args;
  const nodes = cluster?.nodes ?? 1;
  const isOfTrainer = program === "python" && flag === "-m" && module === "hasp_trainer";
  if (!isOfTrainer || processes * nodes === 1) return { args, nodes: 1 };
  const counts = numbers(processes, nodes);
  if (command === "preflight") return { args: [...args, ...counts], nodes: 1 };
  if (!TRAININGS.has(command)) return { args, nodes: 1 };
  const meeting = cluster === undefined ? [] : ["--address", cluster.address, "--port", String(cluster.port)];
  return { args: [flag, module, "launch", ...counts, ...meeting, command, ...rest], nodes };
}

/** Arguments with the served policy and the number of the task. */
export function resolvedArgs(
  args: readonly string[],
  policy: string | undefined,
  { task, tasks }: { readonly task: number | undefined; readonly tasks: number },
): readonly string[] {
  const values: readonly (readonly [string, string | undefined])[] = [
    [STUDENT, policy],
    [TASK, task === undefined ? undefined : String(task)],
    [TASKS, String(tasks)],
  ];
  const given = values.filter((one): one is readonly [string, string] => one[1] !== undefined);
  return args.map((arg) => given.reduce((text, [name, value]) => text.replaceAll(name, value), arg));
}
