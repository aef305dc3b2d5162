/**
 * A draft as the Program Functions of math see it: thought and proposed answer, read once by the domain. Values are exact: texts such as
 * `-7/2`. Lists are in the order of the draft and have at most 100 entries; texts are
 * pieces of the draft or of the question.
 */
export interface MathDraft {
  readonly answer: DraftAnswer;
  /** The asked number as the question's words describe it. */
  readonly asked: Asked;
  /** Numbers of the question. */
  readonly given: readonly GivenNumber[];
  /** Numbers of the thought. */
  readonly numbers: readonly DraftNumber[];
  /** Equations of the thought between sides without variables, a chain `a = b = c` as its links. */
  readonly equations: readonly DraftEquation[];
  /** Equations of the thought that are linear in one variable, with its solution. */
  readonly solved: readonly SolvedEquation[];
  /** Equations of the question in one variable, with the answer put in. */
  readonly checks: readonly AnswerCheck[];
  /** Sentences of the thought that claim instead of showing: "clearly", "obviously", "it must be". */
  readonly claims: readonly string[];
  /** Lines and tuples by which the thought distinguishes or lists cases. */
  readonly cases: readonly string[];
  /** Listed tuples that are the same up to order, each group with at least two. */
  readonly permutations: readonly (readonly string[])[];
  /** Named facts that the thought builds on, such as "By Vieta" or "the formula …", each as the sentence with its name. */
  readonly rules: readonly string[];
  /** A puzzle in which each number is used once. Absent: the question is none. */
  readonly puzzle?: Puzzle;
}

export interface DraftAnswer {
  /** Without box, dollar signs and label. */
  readonly text: string;
  /** Exact, where the answer is one number without a variable: "7/2". */
  readonly value?: string;
  /** As written behind the number, or in front of it, in the answer or else at the end of the thought: "miles", "$", "%". */
  readonly unit?: string;
  /** The one name of a unit of measure, however it is written: "min" for "minutes", "ft^2" for "square feet". Absent: it is none. */
  readonly unitName?: string;
  readonly form: AnswerForm;
  /** The simplest form, where the answer is not in it: "3/2" for "6/4", "2\sqrt{2}" for "\sqrt{8}". */
  readonly simplest?: string;
}

export type AnswerForm =
  | "integer"
  | "fraction"
  | "decimal"
  | "percent"
  | "root"
  | "expression"
  | "equation"
  | "tuple"
  | "set"
  | "interval"
  | "words"
  | "none";

export interface Asked {
  /** Bounds of the asked number that the question's words give, each with the words. */
  readonly bounds: readonly Bound[];
  /** The unit that the question asks for: "minutes". */
  readonly unit?: string;
  /** The one name of that unit: "min". */
  readonly unitName?: string;
  /** The form that the question asks for, in its own words: "as a common fraction", "m+n". */
  readonly form?: { readonly words: string; readonly wanted: readonly AnswerForm[] };
  /** The counted things, where the question asks how many there are of something that comes whole: "eggs". */
  readonly counted?: string;
}

export interface Bound {
  /** Words of the question: "positive", "between 10 and 20", "probability". */
  readonly words: string;
  /** Exact; absent where the side is open. */
  readonly least?: string;
  readonly most?: string;
  /** The bound itself is excluded. */
  readonly strict?: true;
}

export interface GivenNumber {
  readonly text: string;
  readonly value: string;
  /** The thought or the answer has it. */
  readonly isUsed: boolean;
}

export interface DraftNumber {
  readonly text: string;
  readonly value: string;
  /** The question has it, an equation of the draft makes it, or neither. */
  readonly from: "question" | "derived" | "nowhere";
}

export interface DraftEquation {
  /** As written, without marks of layout. */
  readonly text: string;
  readonly left: string;
  /** For a text of your own; no shipped skill quotes it. */
  readonly right: string;
  /** To the digits that are written: "1/3 = 0.33" holds. */
  readonly holds: boolean;
  /** Exact value of the left side. */
  readonly makes: string;
}

export interface SolvedEquation {
  readonly text: string;
  readonly variable: string;
  readonly solution: string;
  /** It may be the other one of two cases: "or" is in front of it, or one of the six equations before has the same solution. */
  readonly isCase?: true;
  /** The term of the equation before that has changed sides and kept its sign: "5", "-2x". Absent: none has. */
  readonly keptSign?: string;
}

export interface AnswerCheck {
  /** The equation, as the question writes it. */
  readonly equation: string;
  readonly variable: string;
  /** The answer, or the one of its values that was put in. */
  readonly value: string;
  /** Values of both sides with it in place of the variable. */
  readonly left: string;
  readonly right: string;
  readonly holds: boolean;
}

export interface Puzzle {
  readonly numbers: readonly string[];
  readonly target: string;
  /** Why the answer does not solve the puzzle: "it uses 5 twice, and the puzzle has it once; it makes 26". Absent: it does. */
  readonly problem?: string;
}
