import { CASES_NOTE, classHead, importing, type StarterCode } from "../../skill/scaffold-pf.ts";
import { phaseSection, plainStarters, type Starters } from "../../skill/scaffold-starters.ts";
import { TODO_CODE, TODO_TEXT } from "../../skill/template-text.ts";
import { WEB_SEARCH_FINAL } from "./action-space.ts";

const PLAIN = plainStarters(WEB_SEARCH_FINAL);

/** Long queries are cut. */
const SHORT_QUERY: StarterCode = {
  pf: (name) => `${importing("modifyAction")}

/** Words in a query above which this skill steps in. */
const LONGEST_QUERY = 15;
/** Words that are kept. */
const SHORT_QUERY = 12;

${classHead(name, { when: 'actionType === "SEARCH" && wordsOf(arg).length > LONGEST_QUERY', maxFires: 3 })}
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const words = wordsOf(arg);
    return modifyAction({
      arg: ${TODO_CODE} words.slice(0, SHORT_QUERY).join(" "),
      reason: \`${TODO_TEXT} query of \${words.length} words cut to \${SHORT_QUERY}\`,
    });
  }
}

function wordsOf(text: string): string[] {
  return text.split(/\\s+/).filter((word) => word !== "");
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} a query of twenty words is cut"
    proposed:
      type: SEARCH
      arg: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
    expect:
      fires: true
      type: MODIFY_ACTION
      newActionArg: one two three four five six seven eight nine ten eleven twelve

  - name: "${TODO_TEXT} a short query stays"
    proposed: { type: SEARCH, arg: a short query }
    expect: { fires: false }

  - name: "${TODO_TEXT} an answer is no query"
    context:
      searchCount: 2
    proposed: { type: FINAL, arg: some answer }
    expect: { fires: false }
`,
};

/** An answer with nothing read is held back. */
const READ_FIRST: StarterCode = {
  pf: (name) => `${importing("injectContext")}

${classHead(name, { when: 'actionType === "FINAL" && !ctx.hasRead' })}
  intervene(ctx: StepContext): Intervention {
    const reminder = \`${TODO_TEXT} Read the most promising result before you answer: nothing has been read yet, after \${ctx.searchCount} searches.\`;
    return injectContext(reminder, "${TODO_TEXT} answered, and nothing read");
  }
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} an answer with nothing read is held back"
    context:
      searchCount: 2
    proposed: { type: FINAL, arg: some answer }
    expect:
      fires: true
      type: INJECT_CONTEXT

  - name: "${TODO_TEXT} an answer after reading stands"
    context:
      searchCount: 1
      readCount: 1
    proposed: { type: FINAL, arg: some answer }
    expect: { fires: false }

  - name: "${TODO_TEXT} a search goes on"
    proposed: { type: SEARCH, arg: some words }
    expect: { fires: false }
`,
};

/** The starters of skills for questions that are answered by searching and reading. */
export const webSearchStarters: Starters = {
  ...PLAIN,
  rewrite: {
    phase: "search",
    trigger: "The proposed action is a SEARCH with a long query.",
    does: "It keeps the first words of the query.",
    code: SHORT_QUERY,
  },
  inject: {
    phase: "answer",
    trigger: "The proposed action is a FINAL, and nothing has been read.",
    does: "It reminds the policy to read a source, once per episode.",
    code: READ_FIRST,
  },
  prompt: {
    ...PLAIN.prompt,
    trigger: "Something was searched and nothing read, and the policy is about to answer.",
    keys: [
      "phases:",
      "  pre_final:",
      "    conditions: [no_read_yet]",
      "    priority_boost: 0.2",
      "    action: force_read_best_doc",
    ],
    sections: phaseSection("pre_final", "Read the best document found so far before you answer."),
  },
};
