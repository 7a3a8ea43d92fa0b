// Reads a CSV file that somebody chose: rows by heading, and what is wrong with each.

/** One row of the file: ready to be stored, or with the reason why not. */
export type ReadRow = {
  /** In the file, from 2: the headings are row 1. */
  number: number;
  texts: Record<string, string>;
  record?: Record<string, string | number | null>;
  problem?: string;
};

/** Judges the texts of a row. */
export type RowReader = (
  texts: Record<string, string>,
) => { record: NonNullable<ReadRow['record']> } | { problem: string };

/** As many as one import takes. */
const MOST_ROWS = 5000;

const plain = (heading: string) => heading.trim().toLowerCase();

/**
 * @param headings that the file must have, in any order and case
 * @returns its rows @throws when it is no such file
 */
export async function readCsv(file: File, headings: readonly string[], read: RowReader) {
  const { parse } = (await import('papaparse')).default;
  const { data, meta } = parse<Record<string, string>>(await file.text(), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: plain,
  });
  const missing = headings.filter((heading) => !meta.fields?.includes(plain(heading)));
  if (missing.length > 0) throw new Error(`The file has no column ${missing.join(', ')}.`);
  if (data.length === 0) throw new Error('The file has no rows.');
  if (data.length > MOST_ROWS) throw new Error(`An import has at most ${MOST_ROWS} rows.`);
  return data.map((cells, index): ReadRow => {
    const texts = Object.fromEntries(
      headings.map((heading) => [heading, (cells[plain(heading)] ?? '').trim()]),
    );
    return { number: index + 2, texts, ...read(texts) };
  });
}
