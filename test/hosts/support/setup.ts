import { prepareAgentHosts } from "../../../scripts/lib/agent-hosts.mts";

/** Installs the agents where a file is run by itself; the stage has done so before. */
export const setup = async (): Promise<void> => await prepareAgentHosts();
