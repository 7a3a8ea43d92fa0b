// The order of what the command menu finds: what the user opens most, then names that begin as typed, then the rest.
import { foldText, hasWords, searchWords } from '#shared/search-text.ts';
import type { Use } from '#web/lib/session/finder-use.ts';

export type Named = {
  path: string;
  label: string;
  /** Other words that people type for it. */
  words?: string;
};

/** A list that can be searched: its screen and what is searched for. */
export type ListSearch = { path: string; label: string };

const startsWord = (label: string, word: string) =>
  foldText(label)
    .split(/[\s&]+/)
    .some((each) => each.startsWith(word));

/** Higher is better. */
function fitOf({ label, words = '' }: Named, [first]: readonly string[]): number {
  if (first === undefined) return 0;
  if (foldText(label).startsWith(first)) return 3;
  if (startsWord(label, first)) return 2;
  return startsWord(words, first) ? 1 : 0;
}

/** @returns those in whose name or words each typed word occurs, the best first; equal ones keep their order */
export function rankNamed<Item extends Named>(
  items: readonly Item[],
  text: string,
  use: Use,
): Item[] {
  const words = searchWords(text);
  return items
    .filter(({ label, words: more = '' }) => hasWords(`${label} ${more}`, words))
    .map((item, at) => ({
      item,
      at,
      used: use.get(item.path) ?? 0,
      fit: fitOf(item, words),
    }))
    .sort((a, b) => b.fit - a.fit || b.used - a.used || a.at - b.at)
    .map(({ item }) => item);
}

/**
 * Searches of lists: "post orders freeport" names the list and what to find there.
 * @param lists screens whose address takes a search text
 */
export function searchesOf(lists: readonly Named[], text: string): ListSearch[] {
  const typed = text.trim().split(/\s+/);
  const splits = typed.slice(1).flatMap((_, at) => [
    { name: typed.slice(0, at + 1), rest: typed.slice(at + 1) },
    { name: typed.slice(at + 1), rest: typed.slice(0, at + 1) },
  ]);
  const found = splits.flatMap(({ name, rest }) =>
    lists
      .filter(({ label, words = '' }) =>
        searchWords(name.join(' ')).every((word) => startsWord(`${label} ${words}`, word)),
      )
      .map(({ path, label }) => ({
        length: name.length,
        search: {
          path: `${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(rest.join(' '))}`,
          label: `${label}: ${rest.join(' ')}`,
        },
      })),
  );
  // The more words name the list, the surer it is meant.
  const longest = Math.max(0, ...found.map(({ length }) => length));
  const best = found.filter(({ length }) => length === longest).map(({ search }) => search);
  return [...new Map(best.map((search) => [search.path, search])).values()].slice(0, 3);
}
