// PostgreSQL array literals (PostgreSQL docs, "Array Input and Output Syntax").

/** Separate from `arrayLiteral`, so that the literal of a long value can be cached. */
export function arrayElement(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

export const toArraySql = (elements: readonly string[]): string => `{${elements.join(',')}}`;

export const arrayLiteral = (values: readonly (string | null)[]): string =>
  toArraySql(values.map(arrayElement));

/** @returns the elements of an array literal, nested ones flattened, unquoted and unescaped */
export function arrayElements(literal: string): string[] {
  const elements = literal.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^"\\{},]|\\.)+)/gs);
  return [...elements].map(([, quoted, plain]) => (quoted ?? plain ?? '').replace(/\\(.)/gs, '$1'));
}

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

/** Comments, strings, quoted names and dollar-quoted bodies, in which a semicolon ends nothing. */
const OPAQUE = [/--[^\n]*/y, /'(?:[^']|'')*'/y, /"(?:[^"]|"")*"/y, /\$(\w*)\$[\s\S]*?\$\1\$/y];

/** Block comments nest in PostgreSQL. @returns the index after the comment that starts at `start` */
function endOfBlockComment(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at += 1) {
    const pair = sql.slice(at, at + 2);
    if (pair === '/*') depth += 1;
    else if (pair === '*/') depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}

function endOfOpaque(sql: string, at: number): number | undefined {
  if (sql.startsWith('/*', at)) return endOfBlockComment(sql, at);
  for (const pattern of OPAQUE) {
    pattern.lastIndex = at;
    if (pattern.test(sql)) return pattern.lastIndex;
  }
  return undefined;
}

/** @returns the index after `begin atomic … end`, whose semicolons belong to the function's body */
function endOfAtomicBody(sql: string, at: number): number | undefined {
  const opening = /begin\s+atomic\b/iy;
  opening.lastIndex = at;
  if (!opening.test(sql)) return undefined;
  const closing = /\bend\s*(?=;)/gi;
  closing.lastIndex = opening.lastIndex;
  return closing.test(sql) ? closing.lastIndex : sql.length;
}

/**
 * Splits an SQL file the way the Supabase CLI records a migration's statements.
 * @returns the statements, trimmed, without final semicolons and empty ones
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let at = 0;
  while (at < sql.length) {
    const after = endOfOpaque(sql, at) ?? endOfAtomicBody(sql, at);
    if (after !== undefined) {
      at = after;
    } else {
      if (sql[at] === ';') {
        statements.push(sql.slice(start, at));
        start = at + 1;
      }
      at += 1;
    }
  }
  statements.push(sql.slice(start));
  const withoutComments = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/;
  return statements.map((text) => text.trim()).filter((text) => !withoutComments.test(text));
}
