import type { FileRow } from './file-row.ts';

/**
 * Rows of a CSV file (RFC 4180), without those that are empty.
 * @param text lines end with CR LF, LF or CR; quotes inside a cell that does not begin with one are text
 * @param most rows that are wanted
 * @throws with the line when a quoted cell has no end, or is followed by text
 */
export function readCsvRows(text: string, delimiter: string, most = Number.POSITIVE_INFINITY) {
  const plain = new RegExp(`[^${delimiter}\r\n]*`, 'y');
  const rows: FileRow[] = [];
  let cells: string[] = [];
  let number = 1;
  let line = 1;
  let at = 0;

  function quoted(): string {
    let end = at + 1;
    for (;;) {
      end = text.indexOf('"', end);
      if (end === -1) throw new Error(`The quote in line ${line} is never closed.`);
      if (text[end + 1] !== '"') break;
      end += 2;
    }
    const cell = text.slice(at + 1, end).replaceAll('""', '"');
    const opened = line;
    line += cell.match(/\r\n?|\n/g)?.length ?? 0;
    at = end + 1;
    if (at < text.length && !`${delimiter}\r\n`.includes(text.charAt(at))) {
      throw new Error(`The quoted cell in line ${opened} is followed by text. Double its quotes.`);
    }
    return cell;
  }
  function unquoted(): string {
    plain.lastIndex = at;
    const [cell = ''] = plain.exec(text) ?? [];
    at += cell.length;
    return cell;
  }

  while (at < text.length && rows.length < most) {
    cells.push(text[at] === '"' ? quoted() : unquoted());
    if (text[at] === delimiter) {
      at += 1;
      // A delimiter at the end of the file is followed by an empty cell.
      if (at < text.length) continue;
      cells.push('');
    }
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ number, cells });
    if (at < text.length) {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
    }
    cells = [];
    number += 1;
  }
  return rows;
}
