// What a search looks through: title and description of an incident, and the name of its site.
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** More sites than this have a word of the search in their names only where the word says nothing. */
const MOST_SITES = 200;

async function sitesNamed(word: string): Promise<string[]> {
  const [filter] = searchFilters(['name'], word);
  if (!filter) return [];
  const { data } = await supabase()
    .from('sites')
    .select('id')
    .or(filter)
    .limit(MOST_SITES)
    .throwOnError();
  return data.map(({ id }) => id);
}

/**
 * @param text as it was typed
 * @returns arguments for supabase-js's `or`, one for each word, as searchFilters gives them
 */
export async function incidentFilters(text: string): Promise<string[]> {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const sites = await Promise.all(words.slice(0, 8).map(sitesNamed));
  return searchFilters(['title', 'description'], text).map((filter, index) => {
    const ids = sites[index] ?? [];
    return ids.length === 0 ? filter : `${filter},site_id.in.(${ids.join()})`;
  });
}
