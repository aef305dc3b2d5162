import { textOf, type CodeNode, type CodeTree } from "./tree.ts";

/** Names of one function, class, lambda, comprehension, or of the module. */
export interface Scope {
  readonly kind: "module" | "function" | "class" | "inner";
  readonly parent: Scope | undefined;
  /** Its names, each with the end of the first statement that defines it. */
  readonly names: Map<string, number>;
  /** Declared `global` or `nonlocal`: another scope has them. */
  readonly elsewhere: Set<string>;
}

/** A name that is read. */
export interface Read {
  readonly name: string;
  readonly node: CodeNode;
  readonly scope: Scope;
}

export interface Bindings {
  readonly module: Scope;
  readonly reads: readonly Read[];
  /** Scopes of functions and classes by their definition. */
  readonly scopes: ReadonlyMap<CodeNode, Scope>;
  /** A star import, `exec` and the like may define any name. */
  readonly isOpen: boolean;
}

type Role = "read" | "bind" | "both" | "none";

const COMPREHENSION = /ComprehensionExpression$/;
const TARGET_GROUPS = new Set(["TupleExpression", "ArrayExpression", "ParenthesizedExpression"]);
const FUTURE_ANNOTATIONS = /^from\s+__future__\s+import\b.*\bannotations\b/s;
const OPENING = new Set(["exec", "globals", "locals"]);

/** The definitions and the reads of each name of a program, collected in one walk in the order of the nodes. */
export function bindingsOf(tree: CodeTree): Bindings {
  return new Walk(tree).result();
}

class Walk {
  readonly #tree: CodeTree;
  readonly #scopes = new Map<CodeNode, Scope>();
  readonly #scopeAt: Scope[] = [];
  readonly #own = new Map<CodeNode, Scope>();
  readonly #roles = new Map<CodeNode, Role>();
  /** The node behind which a bound name has its value. */
  readonly #valueOf = new Map<CodeNode, CodeNode>();
  readonly #reads: Read[] = [];
  readonly #module: Scope = { kind: "module", parent: undefined, names: new Map(), elsewhere: new Set() };
  #isOpen = false;
  /** `from __future__ import annotations`: no annotation is evaluated. */
  #isLazy = false;

  constructor(tree: CodeTree) {
    this.#tree = tree;
    for (const node of tree.nodes) this.#visit(node);
  }

  result(): Bindings {
    return { module: this.#module, reads: this.#reads, scopes: this.#scopes, isOpen: this.#isOpen };
  }

  #visit(node: CodeNode): void {
    const outer = node.parent === undefined ? this.#module : (this.#scopeAt[node.parent.at] ?? this.#module);
    const scope = this.#own.get(node) ?? outer;
    this.#scopeAt.push(scope);
    if (node.name === "VariableName") this.#name(node, scope);
    else this.#prepare(node, scope);
  }

  #name(node: CodeNode, scope: Scope): void {
    const role = this.#roles.get(node) ?? "read";
    const name = textOf(this.#tree, node);
    if (OPENING.has(name)) this.#isOpen = true;
    if (role === "read" || role === "both") this.#reads.push({ name, node, scope });
    if (role === "bind" || role === "both") this.#bind(name, node, scope);
  }

  #bind(name: string, node: CodeNode, at: Scope): void {
    let scope = at;
    // A walrus in a comprehension binds outside of it; the comprehension's own targets do not.
    if (isWalrus(this.#tree, node))
      while (scope.kind === "inner" && scope.parent !== undefined) scope = scope.parent;
    const owner = scope.elsewhere.has(name) ? this.#module : scope;
    const from = (this.#valueOf.get(node) ?? node).to;
    owner.names.set(name, Math.min(from, owner.names.get(name) ?? from));
  }

  #open(node: CodeNode, kind: Scope["kind"], parent: Scope): Scope {
    const scope: Scope = { kind, parent, names: new Map(), elsewhere: new Set() };
    this.#scopes.set(node, scope);
    return scope;
  }

  #mark(node: CodeNode | undefined, role: Role, value?: CodeNode): void {
    if (node === undefined) return;
    this.#roles.set(node, role);
    if (value !== undefined) this.#valueOf.set(node, value);
  }

  /** Says what the names among a node's children do, before the walk comes to them. */
  #prepare(node: CodeNode, scope: Scope): void {
    const { name, children } = node;
    if (TARGET_GROUPS.has(name)) {
      // A group that is a target hands its role on to its parts.
      if (this.#roles.get(node) === "bind")
        for (const child of children) this.#target(child, this.#valueOf.get(node));
    } else if (name === "FunctionDefinition" || name === "LambdaExpression") this.#function(node, scope);
    else if (name === "ClassDefinition") {
      this.#mark(
        children.find((child) => child.name === "VariableName"),
        "bind",
        node,
      );
      const own = this.#open(node, "class", scope);
      for (const child of children) if (child.name === "Body") this.#own.set(child, own);
    } else if (COMPREHENSION.test(name) || hasFor(node)) this.#comprehension(node, scope);
    else if (name === "ForStatement") this.#between(node, "for", "in", iteratedBy(node));
    else if (name === "WithStatement" || name === "TryStatement" || name === "AsPattern")
      this.#behind(node, "as");
    else this.#simple(node, scope);
  }

  #simple(node: CodeNode, scope: Scope): void {
    const { name, children } = node;
    if (name === "AssignStatement") this.#assignment(node, scope);
    else if (name === "UpdateStatement") {
      if (children[0]?.name === "VariableName") this.#mark(children[0], "both", node);
    } else if (name === "NamedExpression" || name === "TypeDefinition") {
      this.#mark(
        children.find((child) => child.name === "VariableName"),
        "bind",
        node,
      );
      if (name === "TypeDefinition") this.#isOpen = true;
    } else if (name === "ImportStatement") this.#import(node);
    else if (name === "ScopeStatement") {
      for (const child of children) {
        if (child.name !== "VariableName") continue;
        this.#mark(child, "none");
        scope.elsewhere.add(textOf(this.#tree, child));
      }
    } else if (name === "ArgList" || name === "KeywordPattern" || name === "PatternArgList") {
      for (const [i, child] of children.entries())
        if (children[i + 1]?.name === "AssignOp" || (name === "KeywordPattern" && i === 0))
          this.#mark(child, isWalrus(this.#tree, child) ? "bind" : "none");
    } else if (name === "TypeDef" && this.#isLazy) this.#ignore(node);
    else if (name === "CapturePattern") this.#mark(children[0], "bind");
    else if (name === "TypeParamList") this.#isOpen = true;
    else if (name === "Decorator") {
      for (const [i, child] of children.entries())
        if (children[i - 1]?.name === ".") this.#mark(child, "none");
    }
  }

  #target(node: CodeNode, value: CodeNode | undefined): void {
    if (node.name === "VariableName" || TARGET_GROUPS.has(node.name)) this.#mark(node, "bind", value);
  }

  /** Children from one word to another are targets. */
  #between(node: CodeNode, from: string, to: string, value: CodeNode | undefined): void {
    let isTarget = false;
    for (const child of node.children) {
      if (child.name === from) isTarget = true;
      else if (child.name === to) isTarget = false;
      else if (isTarget) this.#target(child, value);
    }
  }

  #behind(node: CodeNode, word: string): void {
    for (const [i, child] of node.children.entries())
      if (node.children[i - 1]?.name === word) this.#target(child, undefined);
  }

  #function(node: CodeNode, scope: Scope): void {
    const { children } = node;
    const own = this.#open(node, node.name === "LambdaExpression" ? "inner" : "function", scope);
    if (node.name === "FunctionDefinition")
      this.#mark(
        children.find(({ name }) => name === "VariableName"),
        "bind",
        node,
      );
    const list = children.find(({ name }) => name === "ParamList");
    for (const [i, child] of (list?.children ?? []).entries()) {
      // Defaults and annotations belong to the scope around.
      if (child.name !== "VariableName" || list?.children[i - 1]?.name === "AssignOp") continue;
      this.#mark(child, "bind");
      this.#own.set(child, own);
    }
    const colon = children.findIndex(({ name }) => name === ":");
    for (const [i, child] of children.entries())
      if (child.name === "Body" || (node.name === "LambdaExpression" && i > colon)) this.#own.set(child, own);
  }

  #comprehension(node: CodeNode, scope: Scope): void {
    const own = this.#open(node, "inner", scope);
    for (const child of node.children) this.#own.set(child, own);
    this.#between(node, "for", "in", node.children[0]);
    const [, first] = node.children;
    if (node.name === "ArgList" && first !== undefined && isWalrus(this.#tree, first))
      this.#mark(first, "bind");
  }

  #assignment(node: CodeNode, scope: Scope): void {
    const last = node.children.findLastIndex(({ name }) => name === "AssignOp");
    for (const [i, child] of node.children.entries()) {
      if (i < last || last < 0) this.#target(child, node);
      // The annotation of a local variable is never evaluated.
      if (child.name === "TypeDef" && scope.kind === "function") this.#ignore(child);
    }
  }

  #ignore(node: CodeNode): void {
    for (let at = node.at; at < node.end; at++) this.#mark(this.#tree.nodes[at], "none");
  }

  #import(node: CodeNode): void {
    const { children } = node;
    if (FUTURE_ANNOTATIONS.test(textOf(this.#tree, node))) this.#isLazy = true;
    const from = children.findIndex(({ name }) => name === "import");
    const isFrom = children[0]?.name === "from";
    for (const [i, child] of children.entries()) {
      if (child.name === "*") this.#isOpen = true;
      if (child.name !== "VariableName") continue;
      const renamed = children[i + 1]?.name === "as";
      const isPart = children[i - 1]?.name === "." || (isFrom && i < from);
      this.#mark(child, i > from && !renamed && !isPart && !isRenamedPart(children, i) ? "bind" : "none");
    }
  }
}

/** `import a.b as c` binds `c` alone. */
function isRenamedPart(children: readonly CodeNode[], i: number): boolean {
  let at = i;
  while (children[at + 1]?.name === "." && children[at + 2]?.name === "VariableName") at += 2;
  return at > i && children[at + 1]?.name === "as";
}

/** `x` of `x := 1`, which the list of a call holds without an expression around it. */
function isWalrus(tree: CodeTree, { parent, place }: CodeNode): boolean {
  if (parent?.name === "NamedExpression") return true;
  const sign = parent?.name === "ArgList" ? parent.children[place + 1] : undefined;
  return sign?.name === "AssignOp" && textOf(tree, sign) === ":=";
}

/** A generator that is the only argument of a call stands in the call's own list. */
function hasFor({ name, children }: CodeNode): boolean {
  return name === "ArgList" && children.some((child) => child.name === "for");
}

function iteratedBy(node: CodeNode): CodeNode | undefined {
  return node.children.find(({ name }) => name === "in");
}
