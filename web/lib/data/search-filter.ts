import { searchWords } from '#shared/search-text.ts';

/** Escapes `%`, `_` and `\` in the pattern, then `"` and `\` in its quotes. */
function patternOf(word: string): string {
  const literal = word.replace(/[\\%_]/g, '\\$&');
  return `"*${literal.replace(/[\\"]/g, '\\$&')}*"`;
}

/**
 * Lists filter by the folded computed column `search_text`. The database makes the same patterns for totals
 * (private.search_patterns); tests/rules/platform/search.test.ts compares both.
 * @returns the argument for supabase-js's `likeAllOf`, one pattern per word
 */
export function searchPatterns(text: string): string[] {
  return searchWords(text).map(patternOf);
}
