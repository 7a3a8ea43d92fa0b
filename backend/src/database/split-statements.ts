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
