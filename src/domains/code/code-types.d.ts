/**
 * A program as the Program Functions of code see it, read once by the domain. Lines are 0-based lines of `source`; texts are pieces of it
 * or of the question, of at most 200 characters. Lists are in the order of the program and have at most 100 entries. Only what is certain
 * is said: of a program that cannot be read there are no facts but `problem`.
 */
export interface CodeDraft {
  /** The proposed program, without fences and prose. A body alone stands under the head of the function that the question shows. */
  readonly source: string;
  /** "script": it reads its input and prints. "class": it has the class that the question asks for, or `Solution`. "none": there is no code. */
  readonly kind: "function" | "class" | "script" | "none";
  /** The first place that Python does not take. Absent: none was found. */
  readonly problem?: CodePiece;
  /** Functions and classes that the question asks for by name. */
  readonly entries: readonly CodeEntry[];
  /** Functions and methods. Of several with one name and class the last counts, as in Python. */
  readonly functions: readonly CodeFunction[];
  readonly loops: readonly CodeLoop[];
  readonly imports: readonly CodeImport[];
  /** Names that are read and that nothing defines, each once. Empty where a star import or `exec` may define them. */
  readonly undefinedNames: readonly CodeName[];
  /** Reads of the standard input: "input()", "sys.stdin". */
  readonly inputs: readonly CodePiece[];
  /** Conditions of `if`, `elif`, conditional expressions and `case`. */
  readonly branches: readonly CodePiece[];
  /** First and last items that are read: `x[0]`, `x[-1]`. */
  readonly ends: readonly CodeEnd[];
  /** Operations in a loop that look at each item of a list, or move them. */
  readonly slowCalls: readonly CodeSlowCall[];
  /** Starts, ends and indexes that are one off the usual: `range(1, n)`, `len(x) - 1`, `x[i + 1]`. */
  readonly bounds: readonly CodeBound[];
  /** Whole numbers that come of a division or a root in floating point. */
  readonly floats: readonly CodeFloat[];
  /** Upper bounds that the question gives, as "1 <= n <= 200000". */
  readonly limits: readonly QuestionLimit[];
}

export interface CodePiece {
  readonly text: string;
  readonly line: number;
}

export interface CodeEntry {
  readonly name: string;
  /** The class of a method. */
  readonly owner?: string;
  /** The question's own words: "def middle(items):", "assert middle([1]) == 1". */
  readonly words: string;
  /** The question shows that a value is expected: a return type, a compared call, "return" in its text. */
  readonly wantsValue: boolean;
  readonly isDefined: boolean;
}

export interface CodeFunction extends CodePiece {
  readonly name: string;
  /** The class of a method. */
  readonly owner?: string;
  readonly params: readonly string[];
  /** It stands in another function. */
  readonly isNested: boolean;
  /** The program uses the value of a call by its name elsewhere. */
  readonly isUsed: boolean;
  /** Its body is nothing but a docstring, `pass`, `...` or `raise NotImplementedError`, and no other class is to write it. */
  readonly isStub: boolean;
  /** Whether paths through it end with a value. "yields": it is a generator. */
  readonly returns: "every path" | "some paths" | "no path" | "yields";
  /** Of "some paths": the last statement, after which a path ends without a value. */
  readonly endsAfter?: CodePiece;
  /** A statement that prints, where no path returns a value. */
  readonly prints?: CodePiece;
  /** Calls of itself. */
  readonly selfCalls: readonly CodePiece[];
  /** Some path through it ends, or yields an item, without a call of itself. True of a function that has none. */
  readonly hasBase: boolean;
}

export interface CodeLoop extends CodePiece {
  readonly kind: "for" | "while" | "comprehension";
  /** 1 for a loop in no other loop of its function. */
  readonly depth: number;
  /** The iterable of a `for`, or the condition of a `while`. */
  readonly over: string;
  /** The number of its rounds stands in the program: `range(4)`, a list of literals. */
  readonly isFixed: boolean;
  /** The loop that it stands in. */
  readonly outer?: CodePiece;
}

export interface CodeImport extends CodePiece {
  readonly module: string;
  /** Names that it defines; "*" for all of a module. */
  readonly names: readonly string[];
}

export interface CodeName extends CodePiece {
  readonly name: string;
  /** "later": the only definitions come after the read, or are of a local variable that has no value yet. */
  readonly defined: "never" | "later";
}

export interface CodeEnd extends CodePiece {
  /** The indexed name: "words" of `words[-1]`. */
  readonly of: string;
  readonly at: "first" | "last";
  /** Some condition of the function looks at the name, or it is known to have items. */
  readonly isGuarded: boolean;
}

export interface CodeSlowCall extends CodePiece {
  /** The name of the list. */
  readonly of: string;
  readonly kind: "pop(0)" | "insert(0)" | "in a list" | "index" | "count";
  readonly loop: CodePiece;
}

export interface CodeBound extends CodePiece {
  readonly kind: "range from 1" | "length - 1" | "next index";
}

export interface CodeFloat extends CodePiece {
  /** "int of a root": of another root than the square one. */
  readonly kind: "int of a quotient" | "compared quotient" | "int of a root";
  readonly left: string;
  readonly right: string;
}

export interface QuestionLimit {
  /** "1 <= n <= 200000", "at most 10^5". */
  readonly words: string;
  readonly most: number;
  /** It bounds how many there are, not how large each is: "n", not "a_i". */
  readonly isSize: boolean;
}
