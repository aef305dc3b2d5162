/** The domains that importers and hooks write into records; each is registered under this name. */
export const WEB_SEARCH = "web-search";
export const CODING_AGENT = "coding-agent";
/** Of agents whose tools HASP has no domain for. */
export const AGENT = "agent";
