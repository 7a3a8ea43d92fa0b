import { invalidBody } from '../errors/catalogue.ts';

/** @returns the fields of each line (RFC 4180) */
function lines(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let value: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      value = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const end = text.slice(at).search(/[,\r\n]/);
      value = end < 0 ? text.slice(at) : text.slice(at, at + end);
      at += value.length;
    }
    row.push(value);
    if (text[at] === ',') {
      at += 1;
      // A comma at the end is followed by an empty field.
      if (at >= text.length) row.push('');
      continue;
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n')
      throw invalidBody('Empty or invalid CSV');
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) throw invalidBody('Empty or invalid CSV');
    if (text[at + 1] !== '"') return at;
  }
}

/**
 * The first line names the columns; `NULL` is null (PostgREST docs, "Insert").
 * @throws RestError PGRST102
 */
export function readCsv(text: string): {
  columns: string[];
  rows: Record<string, string | null>[];
} {
  const [columns, ...rows] = lines(text);
  if (columns === undefined) throw invalidBody('Empty or invalid CSV');
  if (rows.some((row) => row.length !== columns.length)) {
    throw invalidBody('All lines must have same number of fields');
  }
  return {
    columns,
    rows: rows.map((row) =>
      Object.fromEntries(
        row.map((value, index) => [columns[index] ?? '', value === 'NULL' ? null : value]),
      ),
    ),
  };
}
