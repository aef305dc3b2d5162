/** What the lines of mocha's report begin with, so that the runner finds them among VS Code's own. */
export const REPORT_PREFIX = "mocha│ ";
