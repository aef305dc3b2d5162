/** Names by which people call what must stay secret, as whole words of a variable's name or at the end of one (`OPENAI_APIKEY`). */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:^|_)PAT)S?(?:_|\d|$)/i;
const PATH = /^(?:~|\.{0,2})[\\/]|^[a-z]:[\\/]/i;
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d\s]/];
const SHORTEST_SECRET = 8;

/** A word such as `production` and a number are no secrets, and hiding them would change what episodes say. */
function isSecret(value: string): boolean {
  if (value.length < SHORTEST_SECRET || PATH.test(value)) return false;
  return CLASSES.filter((of) => of.test(value)).length > 1;
}

/** Values of variables whose names say that they are secret: at least 8 characters of two kinds, and no path. */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, given]) => {
    const value = given?.trim() ?? "";
    return SECRET_NAME.test(name) && isSecret(value) ? [value] : [];
  });
}
