import { spawn } from "node:child_process";
import fs from "node:fs";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import {
  bubblewrapArguments,
  bubblewrapUser,
} from "../../../src/platform/containment/bubblewrap-arguments.ts";
import { pipeOf } from "../../../src/platform/containment/contained-child.ts";
import { onPath } from "../../../src/platform/python-environment.ts";
import { isContainment } from "../../../src/scoring/containment.ts";

const opened = await openBubblewrap(1);
const why = isContainment(opened) ? "" : ` (skipped: ${opened.why})`;
if (isContainment(opened)) await opened.close();

const isThere = (pid: number): boolean => fs.existsSync(`/proc/${pid}`);

/** A Bubblewrap that has told its first process, and waits on descriptor 5 before it tells that to go on. */
async function startHalf() {
  // Bubblewrap does not take the two together.
  const args = bubblewrapArguments(["/bin/true"], [], { info: 4, filter: undefined }).filter(
    (word) => word !== "--disable-userns",
  );
  const stdio = Array.from({ length: 6 }, () => "pipe" as const);
  const [bubblewrap = ""] = onPath("bwrap", process.env);
  const child = spawn(bubblewrap, ["--userns-block-fd", "5", ...args], {
    stdio,
    ...bubblewrapUser(),
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const info = pipeOf(child, 4);
  let told = "";
  while (!told.includes("}")) told += String(await new Promise((resolve) => info.once("data", resolve)));
  return { child, ended, first: Number(/"child-pid": *(\d+)/.exec(told)?.[1]) };
}

test.skipIf(!isContainment(opened))(
  `a sandbox whose starter was killed before it began is ended by the next containment, and no other${why}`,
  async () => {
    const [killed, living] = await Promise.all([startHalf(), startHalf()]);
    killed.child.kill("SIGKILL");
    await killed.ended;
    onTestFinished(() => void living.child.kill("SIGKILL"));
    const next = await openBubblewrap(1);
    if (isContainment(next)) await next.close();
    await expect.poll(() => isThere(killed.first)).toBe(false);
    expect(isThere(living.first)).toBe(true);
    pipeOf(living.child, 5).end("x");
    await living.ended;
    expect(isThere(living.first)).toBe(false);
  },
);
