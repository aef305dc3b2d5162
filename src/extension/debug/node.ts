import process from "node:process";
import { isRecent, LEAST_NODE, nodeAt, ownNode, recentNodeOnPath } from "../../platform/debug-node.ts";
import type { FoundNode } from "../../platform/debug-node.ts";
import { SETTINGS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { readSetting } from "../settings.ts";

const { key } = SETTINGS.debugNode;

function unusable(path: string, why: string): Unmet {
  const next = `Name a Node ${LEAST_NODE} or newer by its absolute path, or leave the setting empty.`;
  return new Unmet(`\`${key}\` names ${path}, ${why}.`, next, {
    label: "Open setting",
    command: "workbench.action.openSettings",
    arguments: [key],
  });
}

/** The Node that the setting names, else a recent one on the PATH, else the one that the editor itself runs on. */
export async function nodeForDebugging(): Promise<FoundNode> {
  const named = readSetting(SETTINGS.debugNode).trim();
  if (named === "") return (await recentNodeOnPath(process.env, process.platform)) ?? ownNode(process);
  const node = await nodeAt(named);
  if (node === undefined) throw unusable(named, "where no Node answers");
  if (!isRecent(node)) throw unusable(named, `which is Node ${node.version}`);
  return node;
}
