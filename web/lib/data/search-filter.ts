// Turns what somebody typed into a search field into filters of the data service.

/** `%`, `_` and `\` stand for themselves in a pattern, then `"` and `\` in a quoted value. */
function patternOf(word: string): string {
  const literal = word.replace(/[\\%_]/g, '\\$&');
  return `"*${literal.replace(/[\\"]/g, '\\$&')}*"`;
}

/**
 * @param columns text columns to look through
 * @param text as it was typed; each of its words must occur in one of the columns, in any case
 * @returns arguments for supabase-js's `or`, one for each word (at most eight)
 */
export function searchFilters(columns: readonly string[], text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words
    .slice(0, 8)
    .map((word) => columns.map((column) => `${column}.ilike.${patternOf(word)}`).join(','));
}
