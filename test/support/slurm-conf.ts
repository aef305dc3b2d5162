export interface SlurmOptions {
  /** Keeps the ends of jobs in a database for `sacct`, and knows accounts. A text file for `sacct -c` has them anyway. */
  readonly hasAccounts?: boolean;
  /** With two partitions: `low`, the default, whose jobs are requeued for those of `high`. Else one, `main`. */
  readonly preempt?: boolean;
  /** Seconds that a job of `low` is left after the decision to take its nodes; default none. Its steps get SIGTERM at the begin, its script at the end. */
  readonly grace?: number;
  /** A job with `--signal` gets that signal at the begin of the grace time, its script too. Off in many clusters, and here. */
  readonly userSignal?: boolean;
  /** Nodes `n1`, `n2`, … of two CPUs each; default two. */
  readonly nodes?: number;
  /** Each node has one GPU of this kind, in name only: a job that asks for it sees CUDA_VISIBLE_DEVICES=0. */
  readonly gpu?: string;
  /** Refuses a job above a partition's limits at its submission, and else lets it wait for ever (default), as Slurm does. */
  readonly enforceLimits?: boolean;
  /** Words put before the nodes' daemons, for a disk of their own (`SmallDisk.enter`, `withMounts`). */
  readonly enter?: readonly string[];
  /** More lines of slurm.conf. */
  readonly lines?: readonly string[];
}

/** Ports of one cluster. */
export interface SlurmPorts {
  readonly controller: number;
  readonly dbd: number;
  /** One for each node. */
  readonly nodes: readonly number[];
}

export const NODES = 2;

export const nodeNames = ({ nodes = NODES }: SlurmOptions): string[] =>
  Array.from({ length: nodes }, (_, i) => `n${i + 1}`);

const accounts = (folder: string, { dbd }: SlurmPorts): string[] => [
  "AccountingStorageType=accounting_storage/slurmdbd",
  "AccountingStorageHost=127.0.0.1",
  `AccountingStoragePort=${dbd}`,
  `AccountingStoragePass=${folder}/run/munge.sock`,
  "AccountingStorageEnforce=associations,limits,qos",
];

function partitions({ preempt = false, grace = 0, userSignal = false }: SlurmOptions): string[] {
  const all = "Nodes=ALL MaxTime=INFINITE";
  const working = preempt
    ? [
        "PreemptType=preempt/partition_prio",
        "PreemptMode=REQUEUE",
        ...(userSignal ? ["SlurmctldParameters=preempt_send_user_signal"] : []),
        `PartitionName=low ${all} Default=YES PriorityTier=1 PreemptMode=REQUEUE GraceTime=${grace} State=UP`,
        `PartitionName=high ${all} PriorityTier=10 PreemptMode=OFF State=UP`,
      ]
    : [`PartitionName=main ${all} Default=YES State=UP`];
  return [
    ...working,
    "PartitionName=shut Nodes=ALL MaxTime=INFINITE State=DOWN",
    "PartitionName=short Nodes=ALL MaxTime=1 State=UP",
    "PartitionName=closed Nodes=ALL AllowAccounts=nobody State=UP",
  ];
}

/** The text of slurm.conf. Paths in it are absolute, because it expands no variables. */
export function slurmConf(folder: string, ports: SlurmPorts, options: SlurmOptions): string {
  const { hasAccounts = false, enforceLimits = false } = options;
  const { gpu } = options;
  const gres = gpu === undefined ? "" : ` Gres=gpu:${gpu}:1`;
  const nodes = nodeNames(options).map(
    (name, i) =>
      `NodeName=${name} NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports.nodes[i]} CPUs=2 RealMemory=4000${gres} State=UNKNOWN`,
  );
  return `${[
    "ClusterName=loop",
    "SlurmctldHost=localhost(127.0.0.1)",
    "SlurmUser=root",
    "SlurmdUser=root",
    "AuthType=auth/munge",
    // A requeued job waits until its credential has run out: two minutes without this.
    `AuthInfo=socket=${folder}/run/munge.sock,cred_expire=5`,
    `SlurmctldPort=${ports.controller}`,
    `SlurmctldPidFile=${folder}/run/slurmctld.pid`,
    `SlurmdPidFile=${folder}/run/slurmd-%n.pid`,
    `StateSaveLocation=${folder}/state`,
    `SlurmdSpoolDir=${folder}/spool/%n`,
    `SlurmctldLogFile=${folder}/log/slurmctld.log`,
    `SlurmdLogFile=${folder}/log/slurmd-%n.log`,
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "MpiDefault=none",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_CPU",
    "SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1",
    "ReturnToService=2",
    "MinJobAge=3600",
    // Seconds between SIGTERM and SIGKILL.
    "KillWait=2",
    "MaxArraySize=101",
    "SlurmdParameters=config_overrides",
    `EnforcePartLimits=${enforceLimits ? "ALL" : "NO"}`,
    "JobCompType=jobcomp/filetxt",
    `JobCompLoc=${folder}/log/jobcomp.log`,
    ...(hasAccounts ? accounts(folder, ports) : []),
    ...(gpu === undefined ? [] : ["GresTypes=gpu"]),
    ...nodes,
    ...partitions(options),
    ...(options.lines ?? []),
  ].join("\n")}\n`;
}

/** The text of gres.conf, which lies beside slurm.conf. The GPU's device file is one that every machine has. */
export const gresConf = ({ gpu }: SlurmOptions): string =>
  gpu === undefined ? "" : `Name=gpu Type=${gpu} File=/dev/null\n`;
