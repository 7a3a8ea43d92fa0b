import { FORMULA } from './formula-guard.ts';

/**
 * What the cells of a column are in a workbook, where their type does not tell:
 * - `amount` has two decimals: money, or hours
 * - `day` is yyyy-MM-dd
 * - `time` is a wall clock such as "2026-11-21 18:00", or an instant, which is shown in the company's zone
 */
export type ColumnKind = 'amount' | 'day' | 'time';

export type Value = string | number | null | undefined;

export type TableColumn<Row> = {
  heading: string;
  kind?: ColumnKind;
  value: (row: Row) => Value;
};

export type TableFormat = 'xlsx' | 'csv';

/** @returns the text of a CSV file */
export async function writeCsv<Row>(columns: TableColumn<Row>[], rows: Row[]): Promise<string> {
  const { unparse } = (await import('papaparse')).default;
  const fields = columns.map(({ heading }) => heading);
  const data = rows.map((row) => columns.map(({ value }) => value(row) ?? ''));
  return unparse({ fields, data }, { escapeFormulae: FORMULA });
}
