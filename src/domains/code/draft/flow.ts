import { textOf, type CodeNode, type CodeTree } from "./tree.ts";

/** How a statement may end. */
export interface Flow {
  /** The next statement may run. */
  readonly falls: boolean;
  /** It may leave the loop that it is in. */
  readonly breaks: boolean;
  /** It may leave the function. */
  readonly exits: boolean;
}

const FALLS: Flow = { falls: true, breaks: false, exits: false };
const NOTHING: Flow = { falls: false, breaks: false, exits: false };
const EXITS: Flow = { falls: false, breaks: false, exits: true };

/** Calls after which a program has ended. */
const ENDING = /^(?:(?:sys\.)?exit|quit|os\._exit|os\.abort)\s*\(/;
const ENDLESS = /^(?:itertools\.)?(?:count|cycle)\s*\(/;

/** Statements, whose ends `flowOf` computes; the ends of all others are those of a statement that runs through. */
const isStatement = ({ name }: CodeNode): boolean =>
  name === "Body" || name === "MatchClause" || name === "StatementGroup" || name.endsWith("Statement");

/**
 * The ends of a block. A statement for which `isDead` holds is taken for one that never ends, so that a question about paths that avoid
 * it can be asked. Computed from the innermost statements outwards, without recursion.
 */
export function flowOf(
  tree: CodeTree,
  block: CodeNode,
  isDead: (node: CodeNode) => boolean = () => false,
): Flow {
  const flows = new Map<CodeNode, Flow>();
  const flow = (node: CodeNode | undefined): Flow => (node && flows.get(node)) ?? FALLS;
  for (let at = block.end - 1; at >= block.at; at--) {
    const node = tree.nodes[at];
    if (node === undefined || !isStatement(node)) continue;
    flows.set(node, isDead(node) ? NOTHING : ownFlow(tree, node, flow));
  }
  return flow(block);
}

type FlowOf = (node: CodeNode | undefined) => Flow;

function ownFlow(tree: CodeTree, node: CodeNode, flow: FlowOf): Flow {
  switch (node.name) {
    case "ReturnStatement":
    case "RaiseStatement":
      return EXITS;
    case "BreakStatement":
      return { falls: false, breaks: true, exits: false };
    case "ContinueStatement":
      return NOTHING;
    case "Body":
    case "StatementGroup":
      return inTurn(node.children.filter(isStatement), flow);
    case "MatchClause":
      return flow(bodyOf(node));
    case "IfStatement":
      return ofIf(tree, node, flow);
    case "WhileStatement":
      return ofLoop(node, isAlwaysTrue(textOf(tree, node.children[1] ?? node)), flow);
    case "ForStatement":
      return ofLoop(node, ENDLESS.test(iterableOf(tree, node)), flow);
    case "TryStatement":
      return ofTry(node, flow);
    case "WithStatement":
      return ofWith(tree, node, flow);
    case "MatchStatement":
      return ofMatch(tree, node, flow);
    case "ExpressionStatement":
      return ENDING.test(textOf(tree, node)) ? EXITS : FALLS;
    case "AssertStatement":
      return /^assert\s*\(?\s*(?:False|0)\b/.test(textOf(tree, node)) ? EXITS : FALLS;
    default:
      return FALLS;
  }
}

export const bodyOf = (node: CodeNode): CodeNode | undefined =>
  node.children.find(({ name }) => name === "Body");

const isAlwaysTrue = (condition: string): boolean => /^\(*\s*(?:True|[1-9]\d*)\s*\)*$/.test(condition);

/** The iterable of a `for`, of a statement or of a comprehension. */
export function iterableOf(tree: CodeTree, node: CodeNode, from = 0): string {
  const at = node.children.findIndex(({ name }, i) => i >= from && name === "in");
  const first = node.children[at + 1];
  if (at < 0 || first === undefined) return "";
  const last = node.children.findIndex(
    ({ name }, i) => i > at && /^(?:Body|if|for|async|[)\]}])$/.test(name),
  );
  return textOf(tree, { from: first.from, to: (node.children[last - 1] ?? first).to }).trim();
}

function inTurn(statements: readonly CodeNode[], flow: FlowOf): Flow {
  let [breaks, exits] = [false, false];
  for (const statement of statements) {
    const one = flow(statement);
    breaks ||= one.breaks;
    exits ||= one.exits;
    if (!one.falls) return { falls: false, breaks, exits };
  }
  return { falls: true, breaks, exits };
}

function anyOf(flows: readonly Flow[]): Flow {
  return {
    falls: flows.some(({ falls }) => falls),
    breaks: flows.some(({ breaks }) => breaks),
    exits: flows.some(({ exits }) => exits),
  };
}

const bodiesOf = (node: CodeNode): readonly CodeNode[] => node.children.filter(({ name }) => name === "Body");

/** The block behind a word, such as `else`. */
function behind(node: CodeNode, word: string): CodeNode | undefined {
  const at = node.children.findIndex(({ name }) => name === word);
  return at < 0 ? undefined : node.children.find(({ name }, i) => i > at && name === "Body");
}

function ofIf(tree: CodeTree, node: CodeNode, flow: FlowOf): Flow {
  const any = anyOf(bodiesOf(node).map(flow));
  const isWhole = behind(node, "else") !== undefined || coversAll(tree, node);
  return isWhole ? any : { ...any, falls: true };
}

/** Conditions of an `if` and its `elif`. */
export function conditionsOf(node: CodeNode): readonly CodeNode[] {
  return node.children.filter((_, i) => /^(?:if|elif)$/.test(node.children[i - 1]?.name ?? ""));
}

/** Sets of comparisons of the same two texts of which one always holds. */
const COVERING = [
  ["<", ">", "=="],
  ["<", ">="],
  [">", "<="],
  ["==", "!="],
  ["<=", ">="],
  ["<=", ">"],
  ["in", "not in"],
];

/**
 * Whether one of the conditions always holds, although there is no `else`: comparisons of the same two values that leave nothing over,
 * the two remainders of 2, or a condition and its negation.
 */
function coversAll(tree: CodeTree, node: CodeNode): boolean {
  const conditions = conditionsOf(node).map((one) => textOf(tree, one));
  if (conditions.length < 2) return false;
  if (conditions.some(isAlwaysTrue)) return true;
  const plain = new Set(conditions.map((one) => one.replaceAll(/\s+/g, " ")));
  if ([...plain].some((one) => plain.has(`not ${one}`) || plain.has(`not (${one})`))) return true;
  const kinds = new Map<string, Set<string>>();
  for (const condition of conditionsOf(node)) {
    const [left, operator, right] = comparison(tree, condition);
    const add = (key: string, kind: string): void => {
      kinds.set(key, (kinds.get(key) ?? new Set()).add(kind));
    };
    add(`${left}|${right}`, operator);
    if (/%\s*2\)?$/.test(left) && /^[01]$/.test(right))
      add(`${left}|2`, operator === "==" ? right : `${1 - Number(right)}`);
    add(`${right}|${left}`, MIRRORED[operator] ?? operator);
  }
  return [...kinds.values()].some(
    (found) =>
      (found.has("0") && found.has("1")) ||
      COVERING.some((covering) => covering.every((one) => found.has(one))),
  );
}

const MIRRORED: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

function comparison(tree: CodeTree, condition: CodeNode): readonly [string, string, string] {
  const [left, ...rest] = condition.name === "BinaryExpression" ? condition.children : [];
  const right = rest.pop();
  if (left === undefined || right === undefined) return ["", "", ""];
  return [textOf(tree, left), rest.map((one) => textOf(tree, one)).join(" "), textOf(tree, right)];
}

function ofLoop(node: CodeNode, isEndless: boolean, flow: FlowOf): Flow {
  const body = flow(bodyOf(node));
  const other = behind(node, "else");
  const after = other === undefined ? FALLS : flow(other);
  return {
    falls: body.breaks || (!isEndless && after.falls),
    breaks: !isEndless && after.breaks,
    exits: body.exits || (!isEndless && after.exits),
  };
}

function ofTry(node: CodeNode, flow: FlowOf): Flow {
  const last = behind(node, "finally");
  const other = behind(node, "else");
  const [tried, ...rest] = bodiesOf(node);
  const handlers = rest.filter((body) => body !== last && body !== other);
  const main = flow(tried);
  const passed =
    other !== undefined && main.falls
      ? inTurn(
          [tried, other].flatMap((one) => one ?? []),
          flow,
        )
      : main;
  const all = anyOf([passed, ...handlers.map(flow)]);
  if (last === undefined) return all;
  const end = flow(last);
  return {
    falls: all.falls && end.falls,
    breaks: end.breaks || (all.breaks && end.falls),
    exits: end.exits || (all.exits && end.falls),
  };
}

/** `suppress` and the like may swallow what the block raises. */
function ofWith(tree: CodeTree, node: CodeNode, flow: FlowOf): Flow {
  const body = flow(bodyOf(node));
  return /suppress|raises|ignore/i.test(textOf(tree, node).split("\n", 1)[0] ?? "")
    ? { ...body, falls: true }
    : body;
}

function ofMatch(tree: CodeTree, node: CodeNode, flow: FlowOf): Flow {
  const clauses = node.children.flatMap(({ name, children }) => (name === "MatchBody" ? children : []));
  const cases = clauses.filter(({ name }) => name === "MatchClause");
  const any = anyOf(cases.map(flow));
  const takesAll = cases.some(({ children: [, pattern, ...rest] }) => {
    const hasGuard = rest.some(({ name }) => name === "Guard");
    return !hasGuard && pattern !== undefined && /^\(?[A-Za-z_]\w*\)?$/.test(textOf(tree, pattern));
  });
  return takesAll ? any : { ...any, falls: true };
}
