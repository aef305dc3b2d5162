import { FRESH_STATE, type PfState } from "../pf-host.ts";
import {
  UNMOVED,
  type Fault,
  type JudgeRequest,
  type JudgedPf,
  type Reply,
  type SentJudged,
  type SentPf,
  type SentVerdict,
  type VoteRequest,
} from "../wire.ts";
import { WrongAnswer, describe } from "./fault.ts";
import { type Bench, type Run, fail, start } from "./judge.ts";
import { type LoadedProgram, programOf } from "./programs.ts";
import { questionsOf, type UnpackedStep } from "./steps.ts";
import { openLiveDesk, openRecordedDesk, type TeacherDesk } from "./teacher.ts";
import { votes } from "./vote.ts";

/** A JudgeRequest with its questions unpacked. */
type Asked = Omit<JudgeRequest, "steps"> & { readonly steps: readonly UnpackedStep[] };

/**
 * One PF on its way through the steps of a crossing. A class, because functions of its own for each would keep it alive in a circle
 * until the collector of QuickJS stops everything to find it.
 */
class Track implements Bench {
  readonly pf: JudgedPf;
  readonly asked: Asked;
  /** Its position among the PFs of the request. */
  readonly place: number;
  readonly program: LoadedProgram;
  readonly verdicts: SentVerdict[] = [];
  state: PfState;
  /** The run whose verdict is awaited. Another one's comes too late. */
  current: Run | undefined;
  /** The step it waits in, when `intervene` is async. */
  waiting: Run | undefined;

  constructor(pf: JudgedPf, asked: Asked, place: number) {
    this.pf = pf;
    this.asked = asked;
    this.place = place;
    this.program = programOf(pf.skillId);
    this.state = pf.state;
  }

  finish(run: Run, verdict: SentVerdict): void {
    if (this.current !== run) return;
    this.current = undefined;
    this.verdicts.push(verdict);
    if (verdict !== UNMOVED && this.asked.mode === "episode") this.state = verdict.state;
    if (this.waiting !== run) return;
    this.waiting = undefined;
    advance(this);
  }

  breakdown(_run: Run, thrown: unknown): void {
    broken = describe(thrown, this.pf.skillId);
  }
}

let request: Asked | undefined;
let tracks: Track[] = [];
let broken: Fault | undefined;
/** The reply to a VoteRequest, which no job can change. */
let voted: string | undefined;

/** Most PFs enter with their id alone (wire.ts). Their memory is copied before a PF gets it, so that all share one. */
function pfOf(sent: SentPf): JudgedPf {
  return typeof sent === "string" ? { skillId: sent, state: FRESH_STATE, answers: [] } : sent;
}

function deskFor({ program, asked, pf }: Track, { replies }: UnpackedStep): TeacherDesk | undefined {
  if (!program.traits.needsTeacher) return undefined;
  if (replies === undefined) return asked.canAsk ? openLiveDesk(pf.answers) : undefined;
  const [, recorded] = replies.find(([skillId]) => skillId === pf.skillId) ?? [];
  return openRecordedDesk(recorded ?? []);
}

/** Lets the PF judge its next step. False where there is none, or where the PF makes the step wait. */
function judgeNext(track: Track, noReply: boolean): boolean {
  const { asked, program, state, verdicts } = track;
  const step = verdicts.length;
  const question = asked.steps[step];
  if (broken !== undefined || question === undefined) return false;
  if (question.asked?.includes(track.place) === false) {
    verdicts.push(UNMOVED);
    return true;
  }
  const desk = noReply ? undefined : deskFor(track, question);
  const run: Run = {
    program,
    question,
    state,
    rules: asked,
    desk,
    noReply,
    bench: track,
    activated: undefined,
  };
  track.current = run;
  start(run);
  if (verdicts.length > step) return true;
  track.waiting = run;
  return false;
}

/** Judges step after step until the steps end, or the PF makes it wait. */
function advance(track: Track): void {
  while (judgeNext(track, false));
}

/** Starts a request, given as JSON. What was going on before is forgotten. */
export function begin(text: string): void {
  const sent = JSON.parse(text) as JudgeRequest | VoteRequest;
  voted = sent.mode === "vote" ? votes(sent) : undefined;
  if (sent.mode !== "vote") judge(sent);
}

function judge(sent: JudgeRequest): void {
  const asked: Asked = { ...sent, steps: questionsOf(sent.steps) };
  request = asked;
  broken = undefined;
  tracks = asked.pfs.map((pf, place) => new Track(pfOf(pf), asked, place));
  for (const track of tracks) advance(track);
}

/** Whether the PF waits for a teacher: a live one will answer, a recorded one has said all that it ever will. */
const waitsForTeacher = ({ desk }: Run): boolean => desk !== undefined && desk.open.length > 0;

/** A PF that asks what the record has no reply to takes its code path on this step. */
function goWithoutReply(track: Track): void {
  track.waiting = undefined;
  if (judgeNext(track, true)) advance(track);
}

/** A PF that waits for nothing that could still come. Its step is an error, and it goes on with the next. */
function giveUp(track: Track): boolean {
  const run = track.waiting;
  if (run === undefined) return false;
  if (waitsForTeacher(run)) {
    if (track.asked.canAsk) return false;
    goWithoutReply(track);
    return true;
  }
  fail(run, new WrongAnswer("The promise that intervene returned never settles."));
  return true;
}

function outcome(track: Track): SentJudged {
  const { skillId } = track.pf;
  const open = track.waiting?.desk?.open;
  if (open !== undefined) return { skillId, asks: open };
  const isUnmoved = track.verdicts.every((verdict) => verdict === UNMOVED);
  return isUnmoved ? skillId : { skillId, verdicts: track.verdicts };
}

/** After all jobs have run: the Reply as JSON, or "" when that made new jobs. */
export function poll(): string {
  if (voted !== undefined) return voted;
  if (request === undefined) throw new Error("poll() without begin()");
  if (broken === undefined && tracks.filter(giveUp).length > 0) return "";
  const reply: Reply<SentJudged[]> = broken === undefined ? { value: tracks.map(outcome) } : { broken };
  request = undefined;
  tracks = [];
  return JSON.stringify(reply);
}
