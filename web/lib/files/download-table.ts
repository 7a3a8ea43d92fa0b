import { download } from './download.ts';
import { type TableColumn, type TableFormat, writeCsv } from './write-table.ts';

/** @param name of the file, without extension */
export async function downloadTable<Row>(
  format: TableFormat,
  name: string,
  columns: TableColumn<Row>[],
  rows: Row[],
) {
  if (format === 'xlsx') {
    const { downloadWorkbook, writeWorkbook } = await import('./write-workbook.ts');
    downloadWorkbook(name, await writeWorkbook(name, columns, rows));
    return;
  }
  const text = await writeCsv(columns, rows);
  // The byte order mark makes Excel read it as UTF-8.
  download(`${name}.csv`, new Blob(['\uFEFF', text], { type: 'text/csv' }));
}
