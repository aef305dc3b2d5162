import { CREDENTIALS_IN_URL, SHORTEST_SECRET } from "./redact.ts";

/** Names by which people call what must stay secret, as whole words of a variable's name or at the end of one (`OPENAI_APIKEY`). */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:^|_)PAT)S?(?:_|\d|$)/i;
/** Whether people call what must stay secret so. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

const PATH = /^(?:~|\.{0,2})[\\/]|^[a-z]:[\\/]/i;
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d\s]/];
/** Up to here a value of one kind of characters is taken for a word, such as `production`, or a number. */
const LONGEST_WORD = 15;

/** Words, numbers and paths are no secrets: hiding them would change what episodes say. */
function isSecret(value: string): boolean {
  if (value.length < SHORTEST_SECRET || PATH.test(value)) return false;
  return value.length > LONGEST_WORD || CLASSES.filter((of) => of.test(value)).length > 1;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The passwords of URLs, such as those of a database or a proxy, as written and decoded. */
function passwordsIn(value: string): readonly string[] {
  const written = [...value.matchAll(CREDENTIALS_IN_URL)].map(([, , password = ""]) => password);
  return [...new Set(written.flatMap((password) => [password, decoded(password)]))];
}

/**
 * Values of variables whose names say that they are secret, and passwords in the URLs of all variables: at least 8 characters, of two kinds
 * or more than 15, and no path.
 */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, given]) => {
    const value = given?.trim() ?? "";
    return [...(isSecretName(name) ? [value] : []), ...passwordsIn(value)].filter(isSecret);
  });
}
