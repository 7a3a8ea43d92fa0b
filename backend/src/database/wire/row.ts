/** @param row body of a DataRow: a count, then each value with its length */
export function decodeRow(row: Buffer): (string | null)[] {
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
 * Like `decodeRow`, but returns a first value of at least `minBytes` as bytes: text that is only passed through need not
 * become a string and bytes again.
 * @param isOwned whether the row's memory stays valid, so that the value need not be copied
 */
export function decodeRowWithBytes(
  row: Buffer,
  minBytes: number,
  isOwned: boolean,
): { cells: (string | null)[]; bytes: Buffer | undefined } {
  const length = row.readUInt16BE(0) === 0 ? -1 : row.readInt32BE(2);
  if (length < minBytes) return { cells: decodeRow(row), bytes: undefined };
  const view = row.subarray(6, 6 + length);
  const bytes = isOwned ? view : Buffer.from(view);
  const rest = Buffer.allocUnsafe(row.length - length);
  row.copy(rest, 0, 0, 2);
  rest.writeInt32BE(0, 2);
  row.copy(rest, 6, 6 + length);
  return { cells: decodeRow(rest), bytes };
}
