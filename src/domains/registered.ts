import { agent } from "./agent/agent.ts";
import { code } from "./code/code.ts";
import { codingAgent } from "./coding-agent/coding-agent.ts";
import type { Domain } from "./domain.ts";
import { math } from "./math/math.ts";
import { webSearch } from "./web-search/web-search.ts";

/** Every domain, the default one first. To add a domain, write its folder and list it here. */
export const REGISTERED: readonly Domain[] = [webSearch, math, code, codingAgent, agent];
