// Submits the job of a folder to a target, as a process that a test may kill: node submit-remote.mts <target as JSON> <folder>.
import path from "node:path";
import process from "node:process";
import { remoteBackend } from "../../src/jobs/remote/remote-backend.ts";
import { targetSchema } from "../../src/model/target.ts";
import { EVERY_RECORD } from "./every-record.mts";
import { remotePorts } from "../../src/platform/remote/remote-jobs.ts";

const [target = "", folder = ""] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "../..");
const ports = remotePorts({
  build: { cli: path.join(root, "dist/hasp.cjs"), trainer: path.join(root, "trainer") },
  environment: process.env,
  own: EVERY_RECORD,
  on: () => undefined,
});
const named = { name: "cluster", target: targetSchema.parse(JSON.parse(target)) };
await remoteBackend(ports, named).submit(folder);
