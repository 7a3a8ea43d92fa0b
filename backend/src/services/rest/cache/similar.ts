/** Longer names get no hint: the comparison is quadratic. */
const MAX_LENGTH = 63;

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const dropped = (previous[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, dropped, added));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** Minimum similarity (0 to 1) of suggested arguments and relationships, as in PostgREST. */
const MIN_SCORE = 0.33;
/** For tables and functions: a hint must not reveal names that the caller did not nearly know. */
export const MIN_NAME_SCORE = 0.75;
/** Candidates whose distance is computed. */
const MAX_CANDIDATES = 50;

/** @returns the n-grams of a name without punctuation, with their counts */
function grams(name: string, size: number): Map<string, number> {
  const text = `-${name.replace(/[^\p{L}\p{N} ,]/gu, '')}-`;
  const found = new Map<string, number>();
  for (let at = 0; at + size <= text.length; at += 1) {
    const gram = text.slice(at, at + size);
    found.set(gram, (found.get(gram) ?? 0) + 1);
  }
  return found;
}

const length = (vector: Map<string, number>): number =>
  Math.sqrt([...vector.values()].reduce((sum, count) => sum + count * count, 0));

function cosine(a: Map<string, number>, b: Map<string, number>): number {
  let sum = 0;
  for (const [gram, count] of a) sum += count * (b.get(gram) ?? 0);
  return sum === 0 ? 0 : sum / (length(a) * length(b));
}

/**
 * Finds the name that a caller may have meant, like the FuzzySet library that PostgREST uses: by trigrams, and by bigrams
 * if no trigram match is similar enough.
 * @param minScore similarity that a suggestion needs, 0 to 1
 */
export function mostSimilar(
  name: string,
  known: Iterable<string>,
  minScore = MIN_SCORE,
): string | undefined {
  if (name === '' || name.length > MAX_LENGTH) return undefined;
  const lowerName = name.toLowerCase();
  const names = [...known].map((original) => ({ original, lower: original.toLowerCase() }));
  for (const size of [3, 2]) {
    const own = grams(lowerName, size);
    const candidates = names
      .map((one) => ({ ...one, shared: cosine(own, grams(one.lower, size)) }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, MAX_CANDIDATES);
    let best: { name: string; score: number } | undefined;
    for (const { original, lower } of candidates) {
      const score = 1 - distance(lowerName, lower) / Math.max(lowerName.length, lower.length);
      if (score >= minScore && (best === undefined || score > best.score)) {
        best = { name: original, score };
      }
    }
    if (best !== undefined) return best.name;
  }
  return undefined;
}
