import { expect, it } from "vitest";
import { clusterPlace, firstHost } from "../../../src/platform/cluster-place.ts";

const JOB = { SLURM_JOB_ID: "123456", SLURM_JOB_NUM_NODES: "2", SLURM_JOB_NODELIST: "gpu[03-04]" };
const nobody = (): undefined => undefined;

it("several machines of a job: the first host, and a port that follows from the job", () => {
  expect(clusterPlace(JOB, nobody)).toEqual({ nodes: 2, address: "gpu03", port: 18_456 });
});

it("the cluster's own list of hosts comes first", () => {
  const asked: string[] = [];
  const ask = (list: string): string => {
    asked.push(list);
    return "gpu03.example";
  };
  expect(clusterPlace(JOB, ask)?.address).toBe("gpu03.example");
  expect(asked).toEqual(["gpu[03-04]"]);
});

it("older names of the variables", () => {
  const old = { SLURM_JOBID: "7", SLURM_NNODES: "3", SLURM_NODELIST: "a,b,c" };
  expect(clusterPlace(old, nobody)).toEqual({ nodes: 3, address: "a", port: 15_007 });
});

it("one machine, no job and variables that make no sense are no cluster", () => {
  const none = [
    {},
    { ...JOB, SLURM_JOB_NUM_NODES: "1" },
    { ...JOB, SLURM_JOB_NUM_NODES: "two" },
    { ...JOB, SLURM_JOB_NODELIST: "" },
    { ...JOB, SLURM_JOB_ID: "x" },
  ];
  expect(none.map((env) => clusterPlace(env, nobody))).toEqual(none.map(() => undefined));
});

it.each([
  ["gpu01", "gpu01"],
  ["gpu01,gpu02", "gpu01"],
  ["gpu[01-02]", "gpu01"],
  ["gpu[7,9-12],cpu3", "gpu7"],
  ["rack2-n[010-020].local", "rack2-n010.local"],
  ["login,gpu[1-2]", "login"],
  ["gpu[]", undefined],
  ["", undefined],
])("the first host of %s", (list, host) => {
  expect(firstHost(list)).toBe(host);
});
