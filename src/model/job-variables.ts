import type { JobSpec } from "./job.ts";

/** Variables that decide which code a program loads, where it looks for its user's decisions, or whose key it sends where. */
const DECIDES_CODE =
  /^(?:NODE_|LD_|DYLD_|PYTHON|GIT_|BASH_|XDG_|PERL5|RUBY|ELECTRON_|SSH_|_?JAVA_|JDK_JAVA_)|^(?:PATH|PATHEXT|ENV|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SHELL|SHELLOPTS|BASHOPTS|IFS|PS4|PERLLIB|COMSPEC)$/i;

/** Variables that jobs of HASP Studio hand over: names of keys, and origins that may be asked over plain http. */
const USUAL = /^(?:[A-Z\d_]+_(?:API_)?KEY|HF_TOKEN|HASP_PLAIN_HTTP|HASP_KEY_[A-Z\d_]+)$/;

/** All variables that a job sets or hands over. */
const namesOf = ({ env, passEnv }: Pick<JobSpec, "env" | "passEnv">): readonly string[] => [
  ...new Set([...Object.keys(env), ...passEnv]),
];

/** Variables of a job which no job of a stranger may have, whoever says yes to it. HASP's own say what it trusts. */
export const refusedVariables = ({ env, passEnv }: Pick<JobSpec, "env" | "passEnv">): readonly string[] => [
  ...Object.keys(env).filter((name) => DECIDES_CODE.test(name) || /^HASP_/i.test(name)),
  ...passEnv.filter((name) => DECIDES_CODE.test(name) || /^HASP_(?!PLAIN_HTTP$|KEY_)/i.test(name)),
];

/** Variables of a job beyond those that jobs usually have, such as HF_HOME: a person agrees to each by its name. */
export const unusualVariables = (spec: Pick<JobSpec, "env" | "passEnv">): readonly string[] =>
  namesOf(spec).filter((name) => !USUAL.test(name));
