// Which regular expressions callers may have matched. PostgreSQL matches most in linear time, but not back-references
// and nested lookaround, and copies what is repeated a given number of times while it reads the expression.

/** Most copies of a part that repetitions such as `{3,20}` may ask for, multiplied as if all were nested. */
const MOST_COPIES = 5_000;

/** Repetitions, also as basic regular expressions write them (`\{`); escapes, whose next character stands for itself. */
const PARTS = /\\?\{(?<least>\d+)(?:,(?<most>\d*))?|\\(?<escaped>.)|(?<lookaround>\(\?<?[=!])/gs;

/** @returns why the expression is refused, or undefined */
export function refusalOfPattern(pattern: string, maxLength: number): string | undefined {
  if (pattern.length > maxLength) return `longer than ${maxLength} characters`;
  let copies = 1;
  let lookarounds = 0;
  for (const { groups = {} } of pattern.matchAll(PARTS)) {
    const { least, most, escaped, lookaround } = groups;
    if (escaped !== undefined && /[1-9]/.test(escaped)) return 'back-references are not allowed';
    if (lookaround !== undefined) lookarounds += 1;
    if (least !== undefined) copies *= Math.max(1, Number(least), Number(most ?? 0));
  }
  if (lookarounds > 1) return 'more than one lookahead or lookbehind';
  return copies > MOST_COPIES ? 'repetition counts are too large' : undefined;
}

/** @returns the elements of an array in PostgreSQL's syntax, of nested ones too; braces and quotes are taken off */
export function elementsOfArray(literal: string): string[] {
  const elements = literal.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^"\\{},]|\\.)+)/gs);
  return [...elements].map(([, quoted, plain]) => (quoted ?? plain ?? '').replace(/\\(.)/gs, '$1'));
}
