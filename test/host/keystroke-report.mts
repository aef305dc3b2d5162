/** State of a module (HASP208), in a line of its own. */
export const WRONG = "let kept = 0;\n";
/** The last skill by name, and wrong from the start: when that is told, all skills have been checked. */
export const LAST_CHECKED = "skill-99";

/** What the suite prints of one PF, as JSON. Milliseconds. */
export interface KeystrokeReport {
  readonly lines: number;
  readonly median: number;
  readonly p95: number;
  readonly slowest: number;
  /** Milliseconds that the loop of the extension host was held up at most, and how often for over 50. */
  readonly longest: number;
  readonly over50: number;
  /** The same by what the thread itself computed meanwhile: a busy machine does not count. Undefined where Node cannot tell. */
  readonly longestCpu: number | undefined;
  readonly over50Cpu: number | undefined;
  /** The longest delay while a file was typed in that is no skill's: VS Code and its other extensions. */
  readonly elsewhere: number;
  readonly load: number;
}
