import type { PfState } from "../pf-host.ts";
import type { Fault, GuestVerdict, JudgeRequest, Judged, JudgedPf, Reply } from "../wire.ts";
import { freezeJson } from "./data.ts";
import { WrongAnswer, describe } from "./fault.ts";
import { type Run, fail, start } from "./judge.ts";
import { programOf } from "./programs.ts";
import { openDesk } from "./teacher.ts";

/** One PF on its way through the steps of a crossing. */
interface Track {
  readonly pf: JudgedPf;
  readonly verdicts: GuestVerdict[];
  state: PfState;
  /** The step it waits in, when `intervene` is async. */
  waiting: Run | undefined;
}

let request: JudgeRequest | undefined;
let tracks: Track[] = [];
let broken: Fault | undefined;

function newRun(track: Track, asked: JudgeRequest): Run | undefined {
  const question = asked.steps[track.verdicts.length];
  if (question === undefined) return undefined;
  const program = programOf(track.pf.skillId);
  let over = false;
  const run: Run = {
    program,
    question,
    state: track.state,
    rules: asked,
    desk: asked.canAsk && program.traits.needsTeacher ? openDesk(track.pf.answers) : undefined,
    finish(verdict) {
      if (over) return;
      over = true;
      track.verdicts.push(verdict);
      if (asked.mode === "episode") track.state = verdict.state;
      if (track.waiting !== run) return;
      track.waiting = undefined;
      advance(track, asked);
    },
    breakdown(thrown) {
      broken = describe(thrown, track.pf.skillId);
    },
  };
  return run;
}

/** Judges step after step until the steps end, or the PF makes it wait. */
function advance(track: Track, asked: JudgeRequest): void {
  while (broken === undefined) {
    const before = track.verdicts.length;
    const run = newRun(track, asked);
    if (run === undefined) return;
    start(run);
    if (track.verdicts.length === before) {
      track.waiting = run;
      return;
    }
  }
}

/** Starts a JudgeRequest, given as JSON. What was going on before is forgotten. */
export function begin(text: string): void {
  const asked = JSON.parse(text) as JudgeRequest;
  freezeJson(asked);
  request = asked;
  broken = undefined;
  tracks = asked.pfs.map((pf) => ({ pf, verdicts: [], state: pf.state, waiting: undefined }));
  for (const track of tracks) advance(track, asked);
}

/** A PF that waits for nothing that could still come. Its step is an error, and it goes on with the next. */
function giveUp(track: Track): boolean {
  const run = track.waiting;
  if (run === undefined || (run.desk !== undefined && run.desk.open.length > 0)) return false;
  fail(run, new WrongAnswer("The promise that intervene returned never settles."));
  return true;
}

function outcome(track: Track): Judged {
  const { skillId } = track.pf;
  const open = track.waiting?.desk?.open;
  return open === undefined ? { skillId, verdicts: track.verdicts } : { skillId, asks: open };
}

/** After all jobs have run: the Reply as JSON, or "" when that made new jobs. */
export function poll(): string {
  if (request === undefined) throw new Error("poll() without begin()");
  if (broken === undefined && tracks.filter(giveUp).length > 0) return "";
  const reply: Reply<Judged[]> = broken === undefined ? { value: tracks.map(outcome) } : { broken };
  request = undefined;
  tracks = [];
  return JSON.stringify(reply);
}
