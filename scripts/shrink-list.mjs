/**
 * Drops what is not needed for a failure: halves first, then ever smaller parts (delta debugging).
 * @template Item
 * @param {readonly Item[]} items that fail together
 * @param {(kept: Item[]) => Promise<boolean>} fails whether these still fail
 * @param {number} tries at most
 * @returns {Promise<Item[]>} the shortest list that was found
 */
export async function shrinkList(items, fails, tries) {
  let kept = [...items];
  let left = tries;
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let from = 0; from < kept.length; ) {
      if (left === 0) return kept;
      left -= 1;
      const without = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await fails(without)) kept = without;
      else from += size;
    }
  }
  return kept;
}
