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

/** @returns the known name most like the given one, if any is like it enough */
export function mostSimilar(name: string, known: Iterable<string>): string | undefined {
  if (name === '' || name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  let best: { name: string; score: number } | undefined;
  for (const candidate of known) {
    const longer = Math.max(wanted.length, candidate.length);
    // A name of quite another length can't be like it: no need to compare.
    if (Math.min(wanted.length, candidate.length) / longer < LEAST) continue;
    const score = 1 - distance(wanted, candidate.toLowerCase()) / longer;
    if (score >= LEAST && (best === undefined || score > best.score)) {
      best = { name: candidate, score };
    }
  }
  return best?.name;
}
