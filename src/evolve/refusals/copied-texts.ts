import type { Diagnostic } from "../../model/diagnostic.ts";
import { REVIEWED_FILES, type ReviewedFile } from "../../model/review.ts";
import { literalsOf } from "./code-text.ts";
import { placedText, placesOf, wordsOf, type PlacedText } from "./placed-words.ts";

/** A question whose episodes an author may have read, with its accepted answers. */
export interface SeedQuestion {
  readonly question: string;
  readonly gold: readonly string[];
}

type Texts = Readonly<Partial<Record<ReviewedFile, string>>>;

/** Words of a question in a row that nobody writes by chance. */
const LONGEST_RUN = 8;
/** A whole question counts from this many words on. */
const SHORTEST_QUESTION = 4;
/** Words around an answer in which words of its question are looked for. */
const WINDOW = 60;
/** Words of its own question near an answer that make it a copy. */
const ENOUGH_NEAR = 2;
/** Letters of a word, or of an answer of one word, that can tell something. */
const TELLING_LENGTH = 4;
/** A word of more questions than this tells no question apart. */
const RARE_IN = 2;
/** Words of questions that tell none apart, however few questions there are. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "what when where which whom whose that this these those there their they them with without from into onto over under after " +
    "before during between among about above below both each every some many much more most other another same than then also only " +
    "have having does been being were would could should will made make makes known called named name names first last next born died " +
    "year years date time city town country state place world film movie book song album band team game show series actor actress " +
    "director author writer singer group company university school located founded released played used part member person people"
  ).split(" "),
);
/** Answers that are no names. */
const CLOSED: ReadonlySet<string> = new Set(["yes", "no", "noanswer"]);

interface Place {
  readonly file: ReviewedFile;
  /** 0-based. */
  readonly line: number;
}

/** Seed questions, read once for all candidates. */
export interface SeedIndex {
  readonly questions: readonly {
    readonly words: readonly string[];
    /** Its words that hardly any other question has. */
    readonly rare: ReadonlySet<string>;
    /** Accepted answers that a text does not hold by chance. */
    readonly answers: readonly TellingAnswer[];
  }[];
}

interface TellingAnswer {
  readonly words: readonly string[];
  /** No other question has it: code that holds it has it from the answer. */
  readonly isOwn: boolean;
}

export function indexSeed(seed: readonly SeedQuestion[]): SeedIndex {
  const words = seed.map(({ question }) => wordsOf(question));
  const joined = words.map((list) => ` ${list.join(" ")} `);
  const inQuestions = new Map<string, number>();
  for (const list of words)
    for (const word of new Set(list)) inQuestions.set(word, (inQuestions.get(word) ?? 0) + 1);
  return {
    questions: seed.map(({ gold }, i) => {
      const own = words[i] ?? [];
      const answers = gold.filter(isTelling).map((answer) => {
        const phrase = wordsOf(answer);
        const isElsewhere = joined.some((other, j) => j !== i && other.includes(` ${phrase.join(" ")} `));
        return { words: phrase, isOwn: !isElsewhere };
      });
      const rare = own.filter(
        (word) =>
          word.length >= TELLING_LENGTH && !COMMON.has(word) && (inQuestions.get(word) ?? 0) <= RARE_IN,
      );
      return { words: own, rare: new Set(rare), answers };
    }),
  };
}

/** A name or a number: two words and more, or one of four letters and more, with a capital or a digit. */
function isTelling(answer: string): boolean {
  const words = wordsOf(answer);
  const text = words.join(" ");
  if (CLOSED.has(text) || !/[\p{Lu}\p{N}]/u.test(answer)) return false;
  return words.length >= 2 || text.length >= TELLING_LENGTH;
}

/**
 * The first place at which a skill quotes one of these questions: eight of its words in a row, or all of a question of four words and more. Articles, case and
 * punctuation do not count.
 */
function quoted(words: readonly string[], file: ReviewedFile, text: PlacedText): Place | undefined {
  const length = Math.min(words.length, LONGEST_RUN);
  if (length < SHORTEST_QUESTION) return undefined;
  for (let from = 0; from + length <= words.length; from++) {
    const [at] = placesOf(words.slice(from, from + length), text);
    if (at !== undefined) return { file, line: text.words[at]?.line ?? 0 };
  }
  return undefined;
}

/** Findings (HASP653) on questions that a skill quotes, in the files of `folder`. */
export function copiedQuestions(
  texts: Texts,
  folder: string,
  questions: readonly string[],
): readonly Diagnostic[] {
  const lists = questions.map(wordsOf);
  return REVIEWED_FILES.flatMap((file) => {
    const placed = placedText(texts[file] ?? "");
    const found = lists.flatMap((words) => quoted(words, file, placed) ?? []);
    return found.slice(0, 1).map(({ line }) => questionFinding({ file, line }, folder));
  });
}

function questionFinding({ file, line }: Place, folder: string): Diagnostic {
  return finding(file, line, folder, "It quotes a question of an episode that its author was shown.");
}

function finding(file: ReviewedFile, line: number, folder: string, message: string): Diagnostic {
  const at = { line, character: 0 };
  return {
    code: "HASP653",
    severity: "error",
    message,
    next: "Write names, questions and answers of your own.",
    file: `${folder}/${file}`,
    range: { start: at, end: at },
  };
}

/**
 * The first place (HASP653) where a skill holds a question of the seed, as `copiedQuestions` finds it, or an accepted answer:
 * a name or a number which stands, in any of its files, within 60 words of two words that hardly any other question has (of one, where its
 * question has only one); or which no other question has, in a text or pattern of the code of pf.ts. A name that a skill and an
 * answer share by chance is neither. The message does not name the answer.
 */
export function copiedFromSeed(
  texts: Texts,
  folder: string,
  { questions }: SeedIndex,
): Diagnostic | undefined {
  for (const file of REVIEWED_FILES) {
    const text = placedText(texts[file] ?? "");
    const code = placedText(file === "pf.ts" ? literalsOf(texts[file] ?? "") : "");
    for (const { words, rare, answers } of questions) {
      const question = quoted(words, file, text);
      if (question !== undefined)
        return finding(file, question.line, folder, "It quotes a question of the seed episodes.");
      for (const answer of answers) {
        const line = nearItsQuestion(answer, rare, text) ?? inCode(answer, code);
        if (line !== undefined)
          return finding(
            file,
            line,
            folder,
            "It holds an accepted answer to a question of the seed episodes.",
          );
      }
    }
  }
  return undefined;
}

function nearItsQuestion(
  { words }: TellingAnswer,
  rare: ReadonlySet<string>,
  text: PlacedText,
): number | undefined {
  const telling = [...rare].filter((word) => !words.includes(word));
  const enough = Math.min(ENOUGH_NEAR, telling.length);
  if (enough === 0) return undefined;
  const at = placesOf(words, text).find((place) => {
    const near = text.words.slice(Math.max(0, place - WINDOW), place + words.length + WINDOW);
    const there = new Set(near.map(({ word }) => word));
    return telling.filter((word) => there.has(word)).length >= enough;
  });
  return at === undefined ? undefined : text.words[at]?.line;
}

function inCode({ words, isOwn }: TellingAnswer, code: PlacedText): number | undefined {
  const [at] = isOwn ? placesOf(words, code) : [];
  return at === undefined ? undefined : code.words[at]?.line;
}
