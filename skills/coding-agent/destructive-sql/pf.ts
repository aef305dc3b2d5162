import {
  askedFor,
  ProgramFunction,
  refuse,
  type ActionType,
  type CodingContext,
  type Intervention,
  type ShellCall,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 20_000;

/** A statement that empties or deletes what a database holds. */
interface Loss {
  readonly statement: string;
  /** The table, the database, or what else is lost. */
  readonly of: string;
  readonly what: string;
  /** How a person asks for it in plain words, with a slot `table` or `database`. */
  readonly words: readonly string[];
}

export default class DestructiveSql extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return lossOf(ctx) !== undefined;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const { statement, of, what } = lossOf(ctx) ?? { statement: "", of: "", what: "" };
    return refuse(
      `\`${statement}\` ${what}. It has not run. ` +
        "A WHERE that names the rows passes; so does the same between BEGIN and ROLLBACK, which shows how many rows it touches; a dump made first (`pg_dump`, `mysqldump`, `.backup`) is a way back. " +
        `Databases whose name says test or tmp are left alone. HASP found no request for exactly this in the person's latest prompt; a prompt that names ${of || "the statement"} and what is to become of it counts as one.`,
      what,
    );
  }
}

function lossOf(ctx: CodingContext): Loss | undefined {
  const calls = ctx.command?.calls ?? [];
  const losses = calls.flatMap((call) => {
    const inner = client(call);
    if (inner === undefined || isForTests(inner)) return [];
    if (call.args.some((arg) => /^-(?:whatif|-dry-run)$/i.test(arg))) return [];
    const found = [...ofProgram(inner), ...textsFor(inner, call, calls).flatMap(lossesIn)];
    return found.length === 0 || askedFor(ctx, { call }) ? [] : found;
  });
  return losses.find((loss) => !isAsked(ctx, loss));
}

/** The person wrote out the statement, or named the table or database and what is to become of it. */
function isAsked(ctx: CodingContext, { statement, of, words }: Loss): boolean {
  return askedFor(ctx, { commands: [statement], words, things: { table: [of], database: [of] } });
}

const DROPS = ["drop|delete|remove {table}"];
const EMPTIES = [
  "truncate|empty|clear|wipe|purge|flush {table}",
  "delete|remove|wipe|purge|clear rows|records|entries|data|row in|from|of {table}",
  "delete|remove|wipe|purge|clear every row|record in|from|of {table}",
];
const DROPS_DATABASE = ["drop|delete|remove|destroy {database}"];
const FLUSHES = ["flush|empty|clear|wipe|purge {database} store|cache?"];

/** A database client with its own words, also where a container runs it. */
interface Client {
  readonly name: string;
  readonly args: readonly string[];
}

const SQL =
  /^(?:psql|pgcli|mysql|mariadb|sqlite3?|litecli|duckdb|sqlcmd|cockroach|clickhouse-client|invoke-sqlcmd|bq|snowsql|sqlplus|isql|usql|wrangler)$/i;
const OTHERS = /^(?:dropdb|mysqladmin|redis-cli|valkey-cli|mongo|mongosh)$/;
const CONTAINER = /^(?:docker|podman|kubectl|docker-compose|npx|pnpx|bunx)$/;

function client({ name, args }: ShellCall): Client | undefined {
  const own = name.toLowerCase();
  if (SQL.test(own) || OTHERS.test(own)) return { name: own, args };
  if (!CONTAINER.test(own)) return undefined;
  const at = args.findIndex((arg) => SQL.test(arg) || OTHERS.test(arg));
  const isRun =
    /^(?:npx|pnpx|bunx)$/.test(own) || args.slice(0, at).some((arg) => /^(?:exec|run)$/.test(arg));
  if (at !== -1 && isRun) return { name: args[at] ?? "", args: args.slice(at + 1) };
  // `docker exec db sh -c 'psql -c "…"'` has the whole line in one word.
  const line = args.find((arg) => /^\s*(?:psql|mysql|mariadb|dropdb|redis-cli|mongosh?)\s/.test(arg));
  return line === undefined || !isRun
    ? undefined
    : {
        name: line.trim().split(/\s/, 1)[0] ?? "",
        args: [...line.split(/\s+/).slice(1), "-c", line.replace(/["']/g, "")],
      };
}

/** The name of the database, or of the host, says that nothing in it is meant to last. */
function isForTests({ args }: Client): boolean {
  return args.some(
    (arg) =>
      arg === ":memory:" ||
      (arg.length < 200 &&
        !/\s/.test(arg) &&
        /(?:^|[\W_])(?:test|tests|testing|tmp|temp|scratch|sandbox|ci)(?:[\W_]|$)/i.test(arg)),
  );
}

/** Switches of these programs that take the next word. */
const VALUED =
  /^(?:-[hpnausiIrPSUD]|--(?:user|pass|host|port|socket|sni|cacert|cert|key|username|maintenance-db|database))$/;

/** Programs that need no statement to lose everything. */
function ofProgram({ name, args }: Client): Loss[] {
  const words = args.filter((arg, i) => !arg.startsWith("-") && !VALUED.test(args[i - 1] ?? ""));
  const whole = (of: string, what: string, says: readonly string[] = DROPS_DATABASE): Loss[] => [
    { statement: [name, ...args].join(" ").slice(0, 120), of, what, words: says },
  ];
  if (name === "dropdb" && !args.includes("--help"))
    return whole(words.at(-1) ?? "database", "deletes the whole database");
  if (name === "mysqladmin" && words[0] === "drop")
    return whole(words.at(-1) ?? "database", "deletes the whole database");
  // Its first word is the command; behind it, names of commands are keys and values.
  const [command = "", script = ""] = words;
  const isFlush =
    /^flush(?:all|db)$/i.test(command) ||
    (/^eval$/i.test(command) && /\bredis\.p?call\s*\(\s*["']flush(?:all|db)/i.test(script));
  if (/^(?:redis|valkey)-cli$/.test(name) && isFlush && !args.includes("--help"))
    return whole(name === "redis-cli" ? "redis" : "valkey", "empties the whole store", FLUSHES);
  return [];
}

/** The texts that the client is given: after its switches, as a here-document, or from `echo` through a pipe. */
function textsFor({ name, args }: Client, call: ShellCall, calls: readonly ShellCall[]): string[] {
  const given = args.flatMap((arg, i) => {
    const [, joined] =
      /^--(?:command|execute|eval|query|sql)=(.+)$/s.exec(arg) ?? /^-(?:c|e)(\S.*\s.*)$/s.exec(arg) ?? [];
    if (joined !== undefined) return [joined];
    return /^(?:-[a-zA-Z]*[ceqQ]|--(?:command|execute|eval|query|sql)|-Query)$/i.test(args[i - 1] ?? "")
      ? [arg]
      : [];
  });
  const operands = /^(?:sqlite3?|duckdb|bq|redis-cli|valkey-cli|wrangler)$/.test(name)
    ? args.filter((arg) => /\s/.test(arg))
    : [];
  const fed = call.redirects.flatMap(({ op, target }) => (op.startsWith("<<") ? [target] : []));
  const piped = calls
    .filter(
      ({ name: other, into }) =>
        /^(?:echo|printf|cat|write-output)$/i.test(other) &&
        into.includes(call.name) &&
        call.from.includes(other),
    )
    .flatMap(({ args: said, redirects }) => [
      said.join(" "),
      ...redirects.flatMap(({ op, target }) => (op.startsWith("<<") ? [target] : [])),
    ]);
  return [...new Set([...given, ...operands, ...fed, ...piped])];
}

function lossesIn(text: string): Loss[] {
  const plain = withoutTexts(text.slice(0, LOOKED_AT));
  const isUndone =
    /\b(?:begin|start\s+transaction)\b/i.test(plain) &&
    /\brollback\b/i.test(plain) &&
    !/\bcommit\b/i.test(plain);
  if (isUndone) return [];
  return [
    ...plain.split(";").flatMap((statement) => ofStatement(statement.trim(), plain)),
    ...ofMongo(plain),
    ...ofRedis(plain),
  ];
}

/** Comments go, and so do texts in quotes: what they say is data. */
function withoutTexts(text: string): string {
  return text.replace(/--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'/g, (part) =>
    part.startsWith("'") ? "''" : " ",
  );
}

const NAME = '[`"\\[]?([\\w.$-]+)[`"\\]]?';
const DROP = new RegExp(
  `^drop\\s+(table|database|schema|keyspace|tablespace)\\s+(?:if\\s+exists\\s+)?${NAME}`,
  "i",
);
const DROP_COLUMN = new RegExp(
  `^alter\\s+table\\s+(?:only\\s+|if\\s+exists\\s+)*${NAME}\\s+drop\\s+(?:column\\b|(?!constraint|index|primary|foreign|key|check|partition|default)\\w)`,
  "i",
);
const TRUNCATE = new RegExp(`^truncate\\s+(?:table\\s+)?(?:only\\s+)?${NAME}`, "i");
const DELETE = new RegExp(`\\bdelete\\s+from\\s+(?:only\\s+)?${NAME}(.*)$`, "is");
const UPDATE = new RegExp(
  `^(?:with\\b.*)?\\bupdate\\s+(?:only\\s+)?${NAME}\\s+(?:as\\s+\\w+\\s+)?set\\b(.*)$`,
  "is",
);

function ofStatement(statement: string, all: string): Loss[] {
  const lost = (of: string, what: string, words: readonly string[]): Loss[] => [
    { statement: statement.replace(/\s+/g, " ").slice(0, 120), of, what, words },
  ];
  if (/^(?:create|grant|comment|select|insert|explain\s+(?!analy))/i.test(statement)) return [];
  const drop = DROP.exec(statement);
  if (drop !== null)
    return isMadeHere(drop[2] ?? "", all)
      ? []
      : lost(
          drop[2] ?? "",
          `deletes the ${(drop[1] ?? "table").toLowerCase()} ${drop[2] ?? ""} with all that is in it`,
          /^table$/i.test(drop[1] ?? "") ? DROPS : DROPS_DATABASE,
        );
  const truncate = TRUNCATE.exec(statement);
  if (truncate !== null)
    return isMadeHere(truncate[1] ?? "", all)
      ? []
      : lost(truncate[1] ?? "", `empties the table ${truncate[1] ?? ""}`, EMPTIES);
  const column = DROP_COLUMN.exec(statement);
  if (column !== null)
    return lost(column[1] ?? "", `deletes a column of ${column[1] ?? ""} with what is in it`, []);
  const deletes = DELETE.exec(statement);
  if (deletes !== null && !hasCondition(deletes[2] ?? "") && !isMadeHere(deletes[1] ?? "", all))
    return lost(deletes[1] ?? "", `deletes every row of ${deletes[1] ?? ""}`, EMPTIES);
  const updates = UPDATE.exec(statement);
  if (updates !== null && !hasCondition(updates[2] ?? "") && !isMadeHere(updates[1] ?? "", all))
    return lost(updates[1] ?? "", `changes every row of ${updates[1] ?? ""}`, []);
  return [];
}

/** A WHERE that is more than always true. */
function hasCondition(rest: string): boolean {
  return (
    /\bwhere\b/i.test(rest) &&
    !/\bwhere\s+\(?\s*(?:true|1\s*=\s*1|1|''\s*=\s*'')\s*\)?\s*(?:returning\b.*)?$/is.test(rest)
  );
}

/** A table of this very text, made before it is dropped. */
function isMadeHere(name: string, all: string): boolean {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const made = all.search(
    new RegExp(
      `\\bcreate\\s+(?:(?:global|local|temp|temporary|unlogged)\\s+)*table\\s+(?:if\\s+not\\s+exists\\s+)?[\`"]?${plain}\\b`,
      "i",
    ),
  );
  const lost = all.search(new RegExp(`\\b(?:drop|truncate|delete|update)\\b[^;]*\\b${plain}\\b`, "i"));
  return made !== -1 && made < lost;
}

function ofMongo(text: string): Loss[] {
  const whole = /\bdropDatabase\s*\(/.exec(text);
  if (whole !== null)
    return [{ statement: text.slice(0, 120), of: "", what: "deletes the whole database", words: [] }];
  const [, name = ""] =
    /\bdb\.(\w+)\.(?:drop\s*\(\s*\)|(?:deleteMany|remove)\s*\(\s*\{\s*\}\s*\))/.exec(text) ?? [];
  return name === ""
    ? []
    : [
        {
          statement: text.slice(0, 120),
          of: name,
          what: `empties the collection ${name}`,
          words: [...EMPTIES, ...DROPS],
        },
      ];
}

function ofRedis(text: string): Loss[] {
  return /^\s*flush(?:all|db)\b/im.test(text)
    ? [{ statement: text.trim().slice(0, 120), of: "redis", what: "empties the whole store", words: FLUSHES }]
    : [];
}
