const MAX_CHARACTERS = 200;
const MAX_WORDS = 8;

function wordsOf(text: string): string[] {
  return text
    .slice(0, MAX_CHARACTERS)
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
}

/** Escapes `%`, `_` and `\` in the pattern, then `"` and `\` in its quotes. */
function patternOf(word: string): string {
  const literal = word.replace(/[\\%_]/g, '\\$&');
  return `"*${literal.replace(/[\\"]/g, '\\$&')}*"`;
}

/**
 * Matches rows whose columns contain every word, in any case.
 * @returns arguments for supabase-js's `or`, one per word
 */
export function searchFilters(columns: readonly string[], text: string): string[] {
  return wordsOf(text).map((word) =>
    columns.map((column) => `${column}.ilike.${patternOf(word)}`).join(','),
  );
}

/**
 * The same for one column: lists whose totals the database counts filter by the computed column `search_text`. The
 * database makes the same patterns for the totals (private.search_patterns); tests/rules/platform/search.test.ts compares both.
 * @returns the argument for supabase-js's `ilikeAllOf`, one pattern per word
 */
export function searchPatterns(text: string): string[] {
  return wordsOf(text).map(patternOf);
}
