// Rejects callers' regular expressions that would be too expensive. PostgreSQL matches most in linear time, but not
// back-references and nested lookaround, and it expands bounded repetitions such as `{3,20}` while compiling.

/** Maximum product of all repetition counts, as if all were nested. */
const MAX_COPIES = 5_000;

/** Repetitions, also in the syntax of basic regular expressions (`\{`); escapes; lookaround. */
const PARTS = /\\?\{(?<least>\d+)(?:,(?<most>\d*))?|\\(?<escaped>.)|(?<lookaround>\(\?<?[=!])/gs;

/** @returns the reason to reject the expression, or undefined */
export function patternProblem(pattern: string, maxLength: number): string | undefined {
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
  return copies > MAX_COPIES ? 'repetition counts are too large' : undefined;
}
