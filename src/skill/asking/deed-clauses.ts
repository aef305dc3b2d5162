import type { Sentence, Token } from "./sentences.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Verbs of what a command does to a tree, a branch, a package: "publish it: …", "throw my changes away with …". */
const VERBS = set(
  "publish ship release deploy push force force-push reset hard-reset discard drop wipe delete remove clean cleanup clear purge undo revert roll throw toss get run execute do go proceed start begin install reinstall empty truncate sync upload tidy nuke restart redo overwrite flush erase prune restore switch checkout print show read update rewrite commit make set verwirf verwerfe veröffentliche lösche entferne leere installiere",
);
/** What they are done to, in words that name no text: the page, the script and the step are not among them. */
const OBJECTS = set(
  "it this that them these those everything anything all the a an my our your its of in and & from again back away out up over off rid new changes change work edits modifications tree working worktree copy directory folder folders dir dirs repo repository branch branches remote origin upstream untracked ignored uncommitted unstaged local stash stashes package packages release version crate image database databases db table tables state build builds artifacts cache caches stale dead merged commit commits history dependencies deps modules project app production prod staging here now completely clean cleanup hard force to on main master npm pypi registry docker github everyone for me us rows data content contents logs temp temporary leftovers junk mess rest executable writable scratch fresh first then just please old latest last current whole mode permissions rights variables values es das den die der alle alles meine änderungen",
);
/** Of these, "this:" may point at a text. */
const OF_TEXTS = /^(?:remove|delete|drop|undo|revert|clear|erase|read|show|print|rewrite|update)$/;
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
  for (let i = start + 1; i < tokens.length && i - start <= MOST; i++) {
    const before = tokens[i - 1]?.after ?? "";
    const { low = "", text = "" } = tokens[i] ?? {};
    if (before !== "") {
      if (says(verb, tokens.slice(start + 1, i), before)) clauses.push({ at: i, unknown });
      return clauses;
    }
    if (text.startsWith("(")) return [...clauses, { at: i, unknown }];
    if (BY.test(low)) clauses.push({ at: i + 1, unknown: [...unknown] });
    else if (!OBJECTS.has(low)) unknown.push(text);
  }
  return clauses;
}

/** Whether words before a colon or a comma say what is to be done, and do not point at the text behind it. */
function says(verb: string, objects: readonly Token[], mark: Token["after"]): boolean {
  if (objects.length === 0) return /^(?:go|proceed)$/.test(verb);
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
    objects.every(({ low }) => OBJECTS.has(low)) &&
    says(tokens[start]?.low ?? "", objects, ":")
  );
}
