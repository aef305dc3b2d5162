import type { CodeFunction } from "../code-types.d.ts";
import type { Bindings, Scope } from "./bindings.ts";
import { bodyOf, flowOf } from "./flow.ts";
import { MOST_LISTED } from "./limits.ts";
import { textOf, type CodeNode, type CodeTree, type Pieces } from "./tree.ts";

/** A function with what stands directly in it: the contents of inner functions, classes and lambdas are left out. */
export interface Definition {
  readonly node: CodeNode;
  readonly name: string;
  /** The class of a method. */
  readonly owner: string | undefined;
  readonly isNested: boolean;
  readonly params: readonly string[];
  readonly own: readonly CodeNode[];
}

const OWNERS = new Set(["FunctionDefinition", "ClassDefinition", "LambdaExpression"]);

/** Functions and methods of a program; of several with one name in one place the last. */
export function definitionsOf(tree: CodeTree): readonly Definition[] {
  const owners: (CodeNode | undefined)[] = [];
  const own = new Map<CodeNode, CodeNode[]>();
  for (const node of tree.nodes) {
    const owner = node.parent && (OWNERS.has(node.parent.name) ? node.parent : owners[node.parent.at]);
    owners.push(owner);
    if (node.name === "FunctionDefinition") own.set(node, []);
    if (owner !== undefined) own.get(owner)?.push(node);
  }
  const last = new Map<string, Definition>();
  for (const [node, nodes] of own) {
    const owner = owners[node.at];
    const name = nameOf(tree, node);
    last.set(`${owner?.at ?? 0} ${name}`, {
      node,
      name,
      owner: owner?.name === "ClassDefinition" ? nameOf(tree, owner) : undefined,
      isNested: owner !== undefined && owner.name !== "ClassDefinition",
      params: paramsOf(tree, node),
      own: nodes,
    });
  }
  return [...last.values()].slice(0, MOST_LISTED);
}

function nameOf(tree: CodeTree, node: CodeNode): string {
  const name = node.children.find((child) => child.name === "VariableName");
  return name === undefined ? "" : textOf(tree, name);
}

function paramsOf(tree: CodeTree, node: CodeNode): readonly string[] {
  const list = node.children.find(({ name }) => name === "ParamList")?.children ?? [];
  return list
    .filter(({ name }, i) => name === "VariableName" && list[i - 1]?.name !== "AssignOp")
    .map((child) => textOf(tree, child))
    .slice(0, MOST_LISTED);
}

/** The offsets of calls whose value is used, by the name of the called function. */
function usesOf(tree: CodeTree): ReadonlyMap<string, readonly number[]> {
  const uses = new Map<string, number[]>();
  for (const node of tree.nodes) {
    if (node.name !== "CallExpression" || isDiscarded(tree, node)) continue;
    const [callee] = node.children;
    const named = callee?.name === "MemberExpression" ? callee.children.at(-1) : callee;
    if (named === undefined) continue;
    const name = textOf(tree, named);
    const offsets = uses.get(name);
    if (offsets === undefined) uses.set(name, [node.from]);
    else offsets.push(node.from);
  }
  return uses;
}

const EXIT = /^(?:sys\.)?(?:exit|quit|SystemExit)$/;
const RUNNER = /^(?:asyncio\.(?:run|create_task|ensure_future)|\w+\.(?:run_until_complete|create_task))$/;

/** Whether nothing looks at the value of a call: it is awaited or run as a statement, or ends the program. */
function isDiscarded(tree: CodeTree, call: CodeNode): boolean {
  for (let at = call; at.parent !== undefined;) {
    const { parent } = at;
    if (parent.name === "ExpressionStatement") return true;
    const callee = parent.name === "ArgList" ? parent.parent?.children[0] : undefined;
    const calledBy = callee === undefined ? "" : textOf(tree, callee);
    if (EXIT.test(calledBy)) return true;
    if (parent.name === "AwaitExpression") at = parent;
    else if (RUNNER.test(calledBy) && parent.parent !== undefined) at = parent.parent;
    else return false;
  }
  return false;
}

/** The functions of a program as its Program Functions see them. */
export function functionsOf(
  tree: CodeTree,
  pieces: Pieces,
  definitions: readonly Definition[],
  scopes: Bindings["scopes"],
): readonly CodeFunction[] {
  const uses = usesOf(tree);
  const owners = ownersOf(definitions);
  return definitions.map((definition) => {
    const { node, name, owner, isNested, params, own } = definition;
    const body = bodyOf(node);
    const calls = selfCalls(tree, definition, scopes.get(node));
    const isUsed = (uses.get(name) ?? []).some((from) => from < node.from || from >= node.to);
    return {
      ...pieces.head(node),
      name,
      ...(owner !== undefined && { owner }),
      params,
      isNested,
      isUsed,
      isStub:
        !isAbstract(tree, definition, owners) &&
        (body === undefined || statementsOf(body).every((statement) => isEmpty(tree, statement))),
      ...returnsOf(tree, pieces, body, own),
      selfCalls: calls.slice(0, MOST_LISTED).map((call) => pieces.of(call)),
      hasBase: body === undefined || own.some(isYield) || hasBase(tree, body, calls),
    };
  });
}

/** The number of classes that have a method, by its name. */
function ownersOf(definitions: readonly Definition[]): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  for (const { name, owner } of definitions)
    if (owner !== undefined) owners.set(name, (owners.get(name) ?? 0) + 1);
  return owners;
}

/** A method that another class is to write: it is marked as such, its class is a protocol, or another class has one of its name. */
function isAbstract(
  tree: CodeTree,
  { node, name, owner }: Definition,
  owners: ReadonlyMap<string, number>,
): boolean {
  if (owner === undefined) return false;
  if ((owners.get(name) ?? 0) > 1 || decoratorsOf(tree, node).some((one) => /\babstract\w*$/.test(one)))
    return true;
  let at: CodeNode | undefined = node;
  while (at !== undefined && at.name !== "ClassDefinition") at = at.parent;
  const bases = at?.children.find((child) => child.name === "ArgList");
  return bases !== undefined && /\bProtocol\b/.test(textOf(tree, bases));
}

/** A `yield` that gives one item: who asks for no more ends the generator. `yield from` may never give one. */
const isYield = ({ name, children }: CodeNode): boolean =>
  /^Yield(?:Statement|Expression)$/.test(name) && children.every((child) => child.name !== "from");

const statementsOf = ({ children }: CodeNode): readonly CodeNode[] =>
  children.filter(({ name }) => name !== ":" && name !== "Comment");

/** A statement that does nothing. */
function isEmpty(tree: CodeTree, statement: CodeNode): boolean {
  if (statement.name === "PassStatement") return true;
  if (statement.name === "RaiseStatement")
    return /^raise\s+NotImplementedError\b/.test(textOf(tree, statement));
  const [only] = statement.children;
  return (
    statement.name === "ExpressionStatement" &&
    only !== undefined &&
    (/^(?:String|ContinuedString|Ellipsis)$/.test(only.name) || textOf(tree, only) === "...")
  );
}

function returnsOf(
  tree: CodeTree,
  pieces: Pieces,
  body: CodeNode | undefined,
  own: readonly CodeNode[],
): Pick<CodeFunction, "returns" | "endsAfter" | "prints"> {
  if (own.some(({ name }) => name === "YieldStatement" || name === "YieldExpression"))
    return { returns: "yields" };
  const isValue = own.some(({ name, children }) => name === "ReturnStatement" && children.length > 1);
  if (body === undefined || !isValue) {
    const print = own.find(
      (node) => node.name === "ExpressionStatement" && /^print\s*\(/.test(textOf(tree, node)),
    );
    return { returns: "no path", ...(print !== undefined && { prints: pieces.of(print) }) };
  }
  if (!flowOf(tree, body).falls) return { returns: "every path" };
  const last = statementsOf(body).at(-1);
  return { returns: "some paths", ...(last !== undefined && { endsAfter: pieces.lineOf(last.from) }) };
}

/** A static method: its first parameter is not its object. */
const isStatic = (tree: CodeTree, node: CodeNode): boolean =>
  decoratorsOf(tree, node).includes("@staticmethod");

function decoratorsOf(tree: CodeTree, { parent }: CodeNode): readonly string[] {
  if (parent?.name !== "DecoratedStatement") return [];
  const decorators = parent.children.filter(({ name }) => name === "Decorator");
  return decorators.map((one) => textOf(tree, one).trim());
}

/** Calls of a function that stand in itself. A name that it gives another value, as a parameter or by an import, is another function. */
function selfCalls(
  tree: CodeTree,
  { node, name, owner, params, own }: Definition,
  scope: Scope | undefined,
): readonly CodeNode[] {
  if (owner === undefined && (scope?.names.has(name) === true || scope?.elsewhere.has(name) === true))
    return [];
  const self = isStatic(tree, node) ? undefined : (params[0] ?? "self");
  const callees =
    owner === undefined ? [name] : [`${owner}.${name}`, ...(self === undefined ? [] : [`${self}.${name}`])];
  return own.filter(({ name: kind, children: [callee] }) => {
    return kind === "CallExpression" && callee !== undefined && callees.includes(textOf(tree, callee));
  });
}

/** Some path ends without a self call. Of very many calls nothing is said. */
function hasBase(tree: CodeTree, body: CodeNode, calls: readonly CodeNode[]): boolean {
  if (calls.length === 0 || calls.length > MOST_LISTED) return true;
  const dead = new Set(calls.map(certainStatement));
  const { falls, exits } = flowOf(tree, body, (node) => dead.has(node));
  return falls || exits;
}

const UNCERTAIN = /(?:Lambda|Comprehension)/;

/** The statement that evaluates an expression whenever it runs; undefined where a condition may skip the expression. */
function certainStatement(expression: CodeNode): CodeNode | undefined {
  let at = expression;
  for (let { parent } = at; parent !== undefined; at = parent, { parent } = at) {
    const { name } = parent;
    if (name.endsWith("Statement")) {
      const isLater = (name === "IfStatement" || name === "WhileStatement") && at.place !== 1;
      return isLater || name === "AssertStatement" ? undefined : parent;
    }
    if (UNCERTAIN.test(name) || (name === "ConditionalExpression" && at.place !== 2)) return undefined;
    if (name === "ArgList" && parent.children.some((child) => child.name === "for")) return undefined;
    const isShort = parent.children.some((child) => child.name === "and" || child.name === "or");
    if (name === "BinaryExpression" && isShort && at.place > 0) return undefined;
  }
  return undefined;
}
