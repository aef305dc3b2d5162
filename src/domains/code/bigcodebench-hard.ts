/**
 * Numbers of the problems of BigCodeBench Hard, as published with it (huggingface.co/datasets/bigcode/bigcodebench-hard, v0.1.0): 148 of the
 * 1,140 problems of the full set.
 */
const NUMBERS =
  "13 15 17 19 34 37 82 89 92 93 99 100 101 108 120 123 124 129 139 147 161 162 177 184 187 199 208 211 214 227 239 241 " +
  "267 273 274 287 302 308 310 313 324 326 341 346 360 367 368 374 399 401 409 417 418 424 443 445 454 458 461 477 486 " +
  "492 501 502 503 509 511 513 526 528 530 532 553 560 567 574 579 582 583 587 590 592 593 594 618 636 637 654 655 657 " +
  "678 720 723 752 760 763 765 771 777 785 800 826 845 854 857 865 870 879 897 906 914 915 916 917 928 942 945 952 955 " +
  "963 964 969 971 985 988 990 998 999 1003 1004 1006 1008 1012 1013 1015 1019 1020 1022 1039 1040 1042 1053 1057 1077 " +
  "1085 1124 1129 1137";

const HARD: ReadonlySet<string> = new Set(NUMBERS.split(" ").map((number) => `BigCodeBench/${number}`));

/** Whether a problem belongs to BigCodeBench Hard, by its id: `BigCodeBench/13`. */
export const isHard = (id: unknown): boolean => typeof id === "string" && HARD.has(id);
