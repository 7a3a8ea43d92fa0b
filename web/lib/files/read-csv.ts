/** One row of the file, with either its record or the problem with it. */
export type ReadRow = {
  /** Row in the file, from 2: the headings are row 1. */
  number: number;
  cells: Record<string, string>;
  record?: Record<string, string | number | null>;
  problem?: string;
};

export type RowReader = (
  cells: Record<string, string>,
) => { record: NonNullable<ReadRow['record']> } | { problem: string };

/** Limit of one import. */
const MOST_ROWS = 5000;

const normalize = (heading: string) => heading.trim().toLowerCase();

/**
 * @param headings required, in any order and case
 * @throws when headings or rows are missing, or there are too many rows
 */
export async function readCsv(file: File, headings: readonly string[], read: RowReader) {
  const { parse } = (await import('papaparse')).default;
  const { data, meta } = parse<Record<string, string>>(await file.text(), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: normalize,
  });
  const missing = headings.filter((heading) => !meta.fields?.includes(normalize(heading)));
  if (missing.length > 0) throw new Error(`The file has no column ${missing.join(', ')}.`);
  if (data.length === 0) throw new Error('The file has no rows.');
  if (data.length > MOST_ROWS) throw new Error(`An import has at most ${MOST_ROWS} rows.`);
  return data.map((row, index): ReadRow => {
    const cells = Object.fromEntries(
      headings.map((heading) => [heading, (row[normalize(heading)] ?? '').trim()]),
    );
    return { number: index + 2, cells, ...read(cells) };
  });
}
