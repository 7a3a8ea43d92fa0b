// The values of one row as they came: a count, then each with its length before it.

/** @returns the values as text; null is SQL null */
export function cellsOf(row: Buffer): (string | null)[] {
  const cells: (string | null)[] = [];
  let at = 2;
  for (let left = row.readUInt16BE(0); left > 0; left -= 1) {
    const length = row.readInt32BE(at);
    at += 4;
    if (length < 0) cells.push(null);
    else {
      cells.push(row.toString('utf8', at, at + length));
      at += length;
    }
  }
  return cells;
}

/**
 * As `cellsOf`, but a first value longer than `least` bytes stays bytes: text that is only passed on need not become a
 * string and bytes again.
 * @param mayKeep whether the row's memory stays as it is, so that the value may stay in it
 */
export function cellsWithBytes(
  row: Buffer,
  least: number,
  mayKeep: boolean,
): { cells: (string | null)[]; bytes: Buffer | undefined } {
  const length = row.readUInt16BE(0) === 0 ? -1 : row.readInt32BE(2);
  if (length < least) return { cells: cellsOf(row), bytes: undefined };
  const view = row.subarray(6, 6 + length);
  const bytes = mayKeep ? view : Buffer.from(view);
  const rest = Buffer.allocUnsafe(row.length - length);
  row.copy(rest, 0, 0, 2);
  rest.writeInt32BE(0, 2);
  row.copy(rest, 6, 6 + length);
  return { cells: cellsOf(rest), bytes };
}
