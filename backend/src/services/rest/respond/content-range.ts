import { invalidRange } from '../errors/catalogue.ts';

export function contentRange(offset: bigint, rows: bigint, total: bigint | undefined): string {
  const of = total === undefined ? '*' : String(total);
  if (rows === 0n || total === 0n) return `*/${of}`;
  return `${offset}-${offset + rows - 1n}/${of}`;
}

/** @throws RestError PGRST103 when the window starts beyond the last row */
export function rangeStatus(offset: bigint, rows: bigint, total: bigint | undefined): number {
  if (total === undefined) return 200;
  if (offset > total) {
    throw invalidRange(
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
      total,
    );
  }
  return rows < total ? 206 : 200;
}
