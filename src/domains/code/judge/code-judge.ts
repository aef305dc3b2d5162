import type { TestEvidence } from "../../../model/test-evidence.ts";
import type { Verdict } from "../../../model/verdict.ts";
import { isContainment, type Containment } from "../../../scoring/containment.ts";
import type { DomainJudge, Judge, JudgeTask, Judgement } from "../../../scoring/judge.ts";
import { sourceOf } from "./answer-source.ts";
import { judgeProgram, withoutTests, type JudgedProgram } from "./judge-program.ts";
import { readMaterial } from "./material.ts";
import { NO_TESTS, prepare, UNKNOWN_FORM, type Prepared } from "./prepare.ts";
import type { PreparedTests } from "./tests.ts";

/** Runs the tests of a question on an answer, in containment. */
const NAME = "tests";

/** Questions whose tests stay prepared: a run asks for those of one question again soon. */
const REMEMBERED = 200;

/** The tests of questions, prepared once; the last ones stay. */
class PreparedQuestions {
  private readonly known = new Map<string, Promise<Prepared>>();

  async get(material: string, make: () => Promise<Prepared>): Promise<Prepared> {
    const before = this.known.get(material);
    if (before !== undefined) return before;
    const made = make();
    this.known.set(material, made);
    const [oldest] = this.known.keys();
    if (this.known.size > REMEMBERED && oldest !== undefined) this.known.delete(oldest);
    // A failure may be over with the next answer.
    made.catch(() => this.known.delete(material));
    return made;
  }
}

function verdictOf(judged: JudgedProgram, { tests }: PreparedTests, containment: Containment): Verdict {
  const { passed: right, failed, notRun, groups, ended, first, ms } = judged;
  const passed = ended === "passed";
  const evidence: TestEvidence = {
    passed: right,
    failed,
    notRun,
    containment: `${containment.name}, Python ${containment.python}`,
    ...(Object.keys(groups).length > 1 && { groups }),
    ended,
    ...(first !== undefined && { first }),
    ms: Math.round(ms),
    ...(tests.some(({ wanted }) => wanted.kind === "inside") && { canBeForged: true }),
  };
  return { judge: NAME, score: passed ? 1 : 0, passed, evidence: { ...evidence } };
}

const NO_PROGRAM = { ended: "error", actual: "There is no program in the answer." } as const;

async function judgeIn(
  containment: Containment,
  questions: PreparedQuestions,
  { answer, material: text }: JudgeTask,
  signal: AbortSignal,
): Promise<Judgement> {
  if (text === undefined) return NO_TESTS;
  const material = readMaterial(text);
  if (material === undefined) return UNKNOWN_FORM;
  const prepared = await questions.get(text, () => prepare(material, { containment, signal }));
  if ("why" in prepared) return prepared;
  const source = sourceOf(answer, material);
  const judged =
    source === undefined
      ? withoutTests(prepared.tests, NO_PROGRAM)
      : await judgeProgram(source, prepared, { containment, signal });
  return verdictOf(judged, prepared, containment);
}

/** Right is what passes all tests of its question. Without a containment nothing is run, and no answer has a verdict. */
export const codeJudge: DomainJudge = {
  name: NAME,
  needsMaterial: true,
  async open({ concurrency, openContainment }) {
    const containment = await openContainment(concurrency);
    const opened = { name: NAME, needsMaterial: true } as const;
    if (!isContainment(containment)) {
      const { next } = containment;
      const why = `no containment here: ${containment.why}`;
      return {
        ...opened,
        judgesNothing: { why, next },
        judge: async () => ({ why: `${why}. ${next}` }),
        close: async () => undefined,
      };
    }
    const questions = new PreparedQuestions();
    const judge: Judge["judge"] = (task, signal) => judgeIn(containment, questions, task, signal);
    return { ...opened, judge, close: () => containment.close() };
  },
};
