import { expect, it } from "vitest";
import { launchArguments } from "../../../src/jobs/launch.ts";
import type { JobCommand } from "../../../src/model/job.ts";

const trainer = (args: string, processes?: number): JobCommand => ({
  program: "python",
  args: ["-m", "hasp_trainer", ...args.split(" ")],
  about: "Train",
  ...(processes !== undefined && { processes }),
});

const line = (command: JobCommand, nodes = 1): string => {
  const cluster = nodes === 1 ? undefined : { nodes, address: "gpu03", port: 15_042 };
  const launch = launchArguments(command, cluster);
  return `${launch.nodes}: ${launch.args.join(" ")}`;
};

it("a training of one process on one machine is started as it is", () => {
  expect(line(trainer("sft a.json"))).toBe("1: -m hasp_trainer sft a.json");
  expect(line(trainer("sft a.json", 1))).toBe("1: -m hasp_trainer sft a.json");
});

it("several processes on this machine", () => {
  expect(line(trainer("dpo a.json", 4))).toBe("1: -m hasp_trainer launch --processes 4 dpo a.json");
});

it("on several machines the launcher is started on each, and knows the others", () => {
  const meeting = "--nodes 2 --address gpu03 --port 15042";
  expect(line(trainer("sft a.json"), 2)).toBe(
    `2: -m hasp_trainer launch --processes 1 ${meeting} sft a.json`,
  );
  expect(line(trainer("sdft a.json", 8), 2)).toBe(
    `2: -m hasp_trainer launch --processes 8 ${meeting} sdft a.json`,
  );
});

it("preflight is asked once, about as many", () => {
  expect(line(trainer("preflight a.json", 4))).toBe("1: -m hasp_trainer preflight a.json --processes 4");
  expect(line(trainer("preflight a.json", 4), 3)).toBe(
    "1: -m hasp_trainer preflight a.json --processes 4 --nodes 3",
  );
});

it("all other commands run once, on this machine", () => {
  expect(line(trainer("serve --model m", 4), 2)).toBe("1: -m hasp_trainer serve --model m");
  expect(line({ ...trainer("sft a.json", 4), args: ["-c", "pass"] }, 2)).toBe("1: -c pass");
  expect(line({ ...trainer("sft a.json", 4), program: "hasp" }, 2)).toBe("1: -m hasp_trainer sft a.json");
});
