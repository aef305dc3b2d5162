import type { Sentence, Token } from "./sentences.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Verbs of what a command does to a tree, a branch, a package: "publish it: …", "throw my changes away with …". */
const VERBS = set(
  "publish ship release deploy push force force-push reset hard-reset discard drop wipe delete remove clean cleanup clear purge undo revert roll throw toss get run execute do go proceed start begin install reinstall empty truncate sync upload tidy nuke restart redo overwrite flush erase prune restore switch checkout print show read update rewrite commit make set dump blow take put bring move kill recreate compact setze setz lösch wirf räume verwirf verwerfe veröffentliche lösche entferne leere installiere",
);
/** What they are done to, in words that name no text: the page, the script and the step are not among them. */
const OBJECTS = set(
  "it this that them these those everything anything all the a an my our your its of in and & from again back away out up over off rid new changes change edits modifications tree worktree copy directory folder folders dir dirs repo repository branch branches remote origin upstream untracked ignored uncommitted unstaged local stash stashes package packages release version crate image database databases db table tables state build builds artifacts cache caches stale dead merged commit commits history dependencies deps modules project app production prod staging here now completely clean cleanup hard force to on main master npm pypi registry docker github everyone for me us rows data content contents logs temp temporary leftovers junk mess rest executable writable scratch fresh first then just already please straight directly stuff things what you i we way world world-writable empty settings config configuration environment env secrets keys both zurück weg auf paket branch ordner dateien old latest last current whole mode permissions rights variables values es das den die der alle alles meine änderungen",
);
/** Of these, "this:" may point at a text. */
const OF_TEXTS =
  /^(?:remove|delete|drop|undo|revert|clear|erase|read|show|print|rewrite|update|commit|set|make|put|take|move)$/;
const BY = /^(?:with|using|via|through|by|mit)$/;
/** Words of a clause before its command. */
const MOST = 12;

/** Where a command stands that says how a deed is done, and the words before it that only that command explains. */
interface DeedClause {
  readonly at: number;
  readonly unknown: readonly string[];
}

/** The clauses of a deed that begin at a wish: "reset the repo: …", "clean the tree (…)", "drop it with …". */
export function deedClausesAt({ tokens }: Sentence, start: number): DeedClause[] {
  const verb = tokens[start]?.low ?? "";
  if (!VERBS.has(verb)) return [];
  const clauses: DeedClause[] = [];
  const unknown: string[] = [];
  let hasFiles = false;
  const isInstall = /^(?:re)?install$/.test(verb);
  let named = 0;
  for (let i = start + 1; i < tokens.length && i - start <= MOST; i++) {
    const before = tokens[i - 1]?.after ?? "";
    const { low = "", text = "" } = tokens[i] ?? {};
    if (before !== "") {
      if (says(verb, tokens.slice(start + 1, i), before, start > 0)) clauses.push({ at: i, unknown });
      return clauses;
    }
    if (text.startsWith("(")) return [...clauses, { at: i, unknown }];
    // "Run it by me", and what was changed by something else.
    if (low === "by" && /^(?:me|us|him|her|them|the|my|our|a)$/.test(tokens[i + 1]?.low ?? ""))
      return clauses;
    // "Update it to publish with …" is about a text.
    if (low === "to" && VERBS.has(tokens[i + 1]?.low ?? "")) return clauses;
    // "The files with …" are those that hold it.
    const isBy = BY.test(low) && !(hasFiles && low === "with") && !(low === "through" && i === start + 1);
    if (isBy) clauses.push({ at: i + 1, unknown: [...unknown] });
    else if (/^files?$/.test(low)) hasFiles = true;
    else if (!isObject(tokens, i) && !(isInstall && unknown.length === 0 && ++named <= 2)) unknown.push(text);
  }
  return clauses;
}

/** "My work" and "the working tree" are objects, "make it work" and "get it working" say another thing. */
function isObject(tokens: readonly Token[], at: number): boolean {
  const low = tokens[at]?.low ?? "";
  const before = tokens[at - 1]?.low ?? "";
  if (low === "work") return /^(?:my|our|your|the|all|of|uncommitted|local|unstaged|old)$/.test(before);
  if (low === "working")
    return /^(?:tree|copy|director(?:y|ies)|dir|folder)$/.test(tokens[at + 1]?.low ?? "");
  if (/^(?:did|made|changed|wrote|edited)$/.test(low)) return /^(?:you|i|we)$/.test(before);
  return OBJECTS.has(low);
}

/** Whether words before a colon or a comma say what is to be done, and do not point at the text behind it. */
function says(verb: string, objects: readonly Token[], mark: Token["after"], isOpened = false): boolean {
  // "Release: …" is a label, "let's release: …" is none.
  if (objects.length === 0) return /^(?:go|proceed)$/.test(verb) || (isOpened && !OF_TEXTS.test(verb));
  if (/^(?:go|proceed)$/.test(verb))
    return objects.every(({ low }) => /^(?:ahead|on|for|it|now|then)$/.test(low));
  return (
    mark !== ":" || !OF_TEXTS.test(verb) || !objects.some(({ low }) => /^th(?:is|at|ese|ose|em)$/.test(low))
  );
}

/** Whether a line says what is to be done and ends in a colon: the lines behind it say how. */
export function announcesDeed({ tokens }: Sentence, start: number): boolean {
  const objects = tokens.slice(start + 1);
  const last = tokens.at(-1);
  return (
    objects.length <= MOST &&
    last?.after === ":" &&
    VERBS.has(tokens[start]?.low ?? "") &&
    !/^(?:read|show|print)$/.test(tokens[start]?.low ?? "") &&
    objects.every((_, i) => isObject(tokens, start + 1 + i)) &&
    says(tokens[start]?.low ?? "", objects, ":")
  );
}
