// Finds the name that a caller may have meant, for the hint of a "could not find" error.

/** Comparing takes the product of the lengths, and no hint is worth more. */
const LONGEST = 63;

/** Letters to change, add or drop to turn one name into the other. */
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

/** Similarity from 0 to 1 below which nothing is suggested, as in PostgREST. */
const LEAST = 0.33;
/** Candidates that are compared letter by letter. */
const COMPARED = 50;

/** How often each run of `size` letters occurs between the ends of a name; punctuation does not count. */
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

/** Cosine of two vectors: 0 when they have nothing in common. */
function cosine(a: Map<string, number>, b: Map<string, number>): number {
  let sum = 0;
  for (const [gram, count] of a) sum += count * (b.get(gram) ?? 0);
  return sum === 0 ? 0 : sum / (length(a) * length(b));
}

/**
 * As the FuzzySet that PostgREST uses: names that share runs of three letters come first, those that share two only where
 * none of them is similar enough.
 * @returns the known name most like the given one, if any is like it enough
 */
export function mostSimilar(name: string, known: Iterable<string>): string | undefined {
  if (name === '' || name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  const names = [...known].map((original) => ({ original, lower: original.toLowerCase() }));
  for (const size of [3, 2]) {
    const own = grams(wanted, size);
    const candidates = names
      .map((one) => ({ ...one, shared: cosine(own, grams(one.lower, size)) }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, COMPARED);
    let best: { name: string; score: number } | undefined;
    for (const { original, lower } of candidates) {
      const score = 1 - distance(wanted, lower) / Math.max(wanted.length, lower.length);
      if (score >= LEAST && (best === undefined || score > best.score)) {
        best = { name: original, score };
      }
    }
    if (best !== undefined) return best.name;
  }
  return undefined;
}
