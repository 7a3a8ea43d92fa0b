import { type TableColumn, type TableFormat, writeCsv } from '#web/lib/files/write-table.ts';
import { writeWorkbook } from '#web/lib/files/write-workbook.ts';

/** A file as a list exports it. */
export async function writtenFile<Row>(
  format: TableFormat,
  columns: TableColumn<Row>[],
  rows: Row[],
): Promise<File> {
  const content =
    format === 'csv' ? await writeCsv(columns, rows) : await writeWorkbook('export', columns, rows);
  return new File([content], `export.${format}`);
}
