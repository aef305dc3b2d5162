import { codeJudge } from "../../src/domains/code/judge/code-judge.ts";
import { writeMaterial, type Material } from "../../src/domains/code/judge/material.ts";
import { testEvidenceOf, type TestEvidence } from "../../src/model/test-evidence.ts";
import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { isContainment } from "../../src/scoring/containment.ts";
import { verdictIn, whyNoVerdict, type OpenedJudge } from "../../src/scoring/judge.ts";

const probed = await openContainment(1);
if (isContainment(probed)) await probed.close();

/** Programs can be run here. */
export const CAN_RUN = isContainment(probed);

/** A reply of the judge. */
export interface Replied {
  readonly passed?: boolean;
  readonly evidence?: TestEvidence | undefined;
  /** Why there is no verdict. */
  readonly why?: string | undefined;
}

/** Judges answers with one opened judge; to be closed. */
export async function openCodeJudge(places = 2) {
  const judge: OpenedJudge = await codeJudge.open({ concurrency: places, openContainment });
  const ask = async (
    material: Material | string | undefined,
    answer: string,
    signal = new AbortController().signal,
  ): Promise<Replied> => {
    const text = typeof material === "object" ? writeMaterial(material) : material;
    const reply = await judge.judge({ question: "", answer, gold: undefined, material: text }, signal);
    const verdict = verdictIn(reply);
    return verdict === undefined
      ? { why: whyNoVerdict(reply) }
      : { passed: verdict.passed, evidence: testEvidenceOf(verdict.evidence) };
  };
  return { ask, close: () => judge.close() };
}
