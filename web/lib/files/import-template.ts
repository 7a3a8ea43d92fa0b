import type { ImportColumn } from './read-table.ts';
import { downloadWorkbook, NUMBER_FORMATS, sheetName } from './write-workbook.ts';

/** Rows that have the formats and choices of their columns. */
const PREPARED = 500;
/** Excel's limit of letters in a list of choices. */
const MOST_LETTERS = 255;

const formatOf = ({ kind }: ImportColumn) => {
  if (kind === undefined) return undefined;
  // Text keeps the zeros at the beginning of phone and account numbers.
  return kind === 'text' ? '@' : NUMBER_FORMATS[kind];
};

const letterOf = (at: number) => String.fromCharCode('A'.charCodeAt(0) + at);

const canList = (choices: readonly string[]) =>
  choices.join(',').length <= MOST_LETTERS && choices.every((choice) => !choice.includes(','));

function listOf({ choices = [], heading }: ImportColumn, at: number) {
  if (choices.length === 0 || !canList(choices)) return [];
  return [
    {
      type: 'list' as const,
      values: [...choices],
      range: `${letterOf(at)}2:${letterOf(at)}${PREPARED + 1}`,
      allowBlank: true,
      showErrorMessage: true,
      errorTitle: heading,
      errorMessage: 'Choose one of the list.',
    },
  ];
}

function noteOf({ choices = [], kind, note = '' }: ImportColumn): string {
  const parts = [
    choices.length > 0 && `One of: ${choices.join(', ')}`,
    kind === 'day' && 'A date, such as 2026-11-21',
    note,
  ];
  return parts.filter(Boolean).join('. ');
}

const BOLD = { font: { bold: true } };

/**
 * @param columns at most 26
 * @returns a workbook with the headings, and on a second sheet, which an import does not read, what belongs in each
 */
export async function writeTemplate(
  name: string,
  columns: readonly ImportColumn[],
): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await import('hucre/xlsx');
  const bytes = await writeXlsx({
    sheets: [
      {
        name: sheetName(name),
        rows: [
          columns.map(({ heading }) => heading),
          ...Array.from({ length: PREPARED }, () => columns.map(() => null)),
        ],
        columns: columns.map((column) => {
          const numFmt = formatOf(column);
          return { width: Math.max(14, column.heading.length + 4), ...(numFmt && { numFmt }) };
        }),
        cells: new Map(columns.map((_, at) => [`0,${at}`, { style: BOLD }])),
        dataValidations: columns.flatMap(listOf),
        freezePane: { rows: 1 },
      },
      {
        name: 'Notes',
        rows: [
          ['Heading', 'Required', 'What belongs there'],
          ...columns.map((column) => [
            column.heading,
            column.isRequired ? 'Yes' : 'No',
            noteOf(column),
          ]),
        ],
        columns: [{ width: 24 }, { width: 12 }, { width: 90 }],
        cells: new Map([0, 1, 2].map((at) => [`0,${at}`, { style: BOLD }])),
      },
    ],
  });
  return new Uint8Array(bytes);
}

/** @param records what the rows are, for example "Clients" */
export async function downloadTemplate(records: string, columns: readonly ImportColumn[]) {
  const name = `${records.toLowerCase().replaceAll(' ', '-')}-template`;
  downloadWorkbook(name, await writeTemplate(records, columns));
}
