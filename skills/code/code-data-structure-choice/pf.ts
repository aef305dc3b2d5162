import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type CodeSlowCall,
  type Intervention,
} from "hasp";

const IN_ITS_PLACE: Readonly<Record<CodeSlowCall["kind"], string>> = {
  "pop(0)": "Use a collections.deque and its popleft()",
  "insert(0)": "Use a collections.deque and its appendleft()",
  "in a list": "Keep a set of its items",
  index: "Keep a dictionary from item to index",
  count: "Count the items once, with collections.Counter",
};

export default class CodeDataStructureChoice extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.code.slowCalls.length > 0;
  }

  intervene(ctx: CodeContext): Intervention {
    const [slow] = ctx.code.slowCalls;
    if (slow === undefined) return noop("no list is moved or searched in a loop");
    return injectContext(
      `"${slow.text}" takes a time that grows with the length of ${slow.of}, in each round of "${slow.loop.text}". ` +
        `${IN_ITS_PLACE[slow.kind]} if ${slow.of} may be long.`,
      "a list where another structure serves",
    );
  }
}
