import { CLAUDE_CODE_INVENTORY } from "./claude-code.ts";
import { CODEX_INVENTORY } from "./codex.ts";
import { COPILOT_INVENTORY } from "./copilot.ts";
import type { HostInventory } from "./host-inventory.ts";

/** The hosts whose packages can be read; VS Code's Local sessions have none of their own. */
export const HOST_INVENTORIES: readonly HostInventory[] = [
  CLAUDE_CODE_INVENTORY,
  CODEX_INVENTORY,
  COPILOT_INVENTORY,
];
