// The journal in the import layouts of accounting packages: one currency a file, because a package keeps its books in one.
import { parseCents } from '#shared/money.ts';
import { groupDocuments, type JournalDocument, type JournalLine } from './rules.ts';

export const PACKAGES = ['quickbooks', 'xero', 'sage'] as const;
export type Package = (typeof PACKAGES)[number];

/** Lines of one file of manual journals (help.xero.com/int/ManualJournalsImport). */
const XERO_LINES = 300;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const CRLF = '\r\n';

/** RFC 4180. */
const quote = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const csv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((cell) => quote(oneLine(cell))).join(',') + CRLF).join('');

const dayFirst = (day: string) => day.split('-').reverse().join('/');

/** A credit is below zero. */
const signed = ({ debit, credit }: JournalLine) =>
  parseCents(debit) === 0n ? `-${credit}` : debit;

const titleOf = ({ document, text }: JournalDocument) => oneLine(`${document} ${text}`);

/**
 * QuickBooks Desktop, Intuit Interchange Format: tabs between cells, a TRNS line with its SPL lines that sum to zero, dates as
 * MM/DD/YYYY, accounts by name (Intuit, "IIF reference: transactions").
 */
function writeQuickBooks(documents: readonly JournalDocument[]): string {
  const cells = ['TRNSID', 'TRNSTYPE', 'DATE', 'ACCNT', 'AMOUNT', 'DOCNUM', 'MEMO'];
  const heads = [['!TRNS', ...cells], ['!SPL', ...cells], ['!ENDTRNS']];
  const rows = documents.flatMap(({ day, document, lines }, index) => {
    const [year, month, date] = day.split('-');
    return [
      ...lines.map((line, at) => [
        at === 0 ? 'TRNS' : 'SPL',
        String(index + 1),
        'GENERAL JOURNAL',
        `${month}/${date}/${year}`,
        // A colon would make a sub-account.
        line.account_name.replaceAll(':', ' '),
        signed(line),
        document,
        line.text,
      ]),
      ['ENDTRNS'],
    ];
  });
  return [...heads, ...rows]
    .map((row) => row.map((cell) => oneLine(cell).replaceAll('"', "'")).join('\t') + CRLF)
    .join('');
}

/** Rows with the same narration and date are one journal, so documents with equal ones would become one. */
function writeXero(documents: readonly JournalDocument[]): string {
  const heads = ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'];
  const rows = documents.flatMap((document) =>
    document.lines.map((line) => [
      titleOf(document),
      dayFirst(document.day),
      line.text,
      line.account_code,
      'Tax Exempt',
      signed(line),
    ]),
  );
  return csv([heads, ...rows]);
}

/** Documents in files of at most XERO_LINES lines; one document stays in one file. */
function inParts(documents: readonly JournalDocument[]): JournalDocument[][] {
  const parts: JournalDocument[][] = [];
  let left = 0;
  for (const document of documents) {
    const part = parts.at(-1);
    left -= document.lines.length;
    if (part && left >= 0) part.push(document);
    else {
      parts.push([document]);
      left = XERO_LINES - document.lines.length;
    }
  }
  return parts;
}

/** Lengths that Sage 50 keeps of a reference and of details. */
const SAGE_REFERENCE = 30;
const SAGE_DETAILS = 60;

/**
 * Sage 50, audit trail transactions: journal debits (JD) and credits (JC), tax code T9 because the journal has tax on accounts
 * of its own (Sage, "Data import: audit trail transactions").
 */
function writeSage(documents: readonly JournalDocument[]): string {
  const heads = [
    'Type',
    'Account Reference',
    'Nominal A/C Ref',
    'Department Code',
    'Date',
    'Reference',
    'Details',
    'Net Amount',
    'Tax Code',
    'Tax Amount',
  ];
  const rows = documents.flatMap(({ day, document, lines }) =>
    lines.map((line) => {
      const isDebit = parseCents(line.debit) !== 0n;
      return [
        isDebit ? 'JD' : 'JC',
        '',
        line.account_code,
        '0',
        dayFirst(day),
        document.slice(0, SAGE_REFERENCE),
        oneLine(line.text).slice(0, SAGE_DETAILS),
        isDebit ? line.debit : line.credit,
        'T9',
        '0.00',
      ];
    }),
  );
  return csv([heads, ...rows]);
}

type PackageFile = { name: string; text: string };

/** @returns the files that the package takes, without documents in other currencies */
export function writeForPackage(
  target: Package,
  lines: readonly JournalLine[],
  currency: string,
  name: string,
): PackageFile[] {
  const documents = groupDocuments(lines.filter((line) => line.currency === currency));
  if (documents.length === 0) return [];
  const base = `${name}-${currency}-${target}`;
  if (target === 'quickbooks') return [{ name: `${base}.iif`, text: writeQuickBooks(documents) }];
  if (target === 'sage') return [{ name: `${base}.csv`, text: writeSage(documents) }];
  const parts = inParts(documents);
  return parts.map((part, index) => ({
    name: parts.length === 1 ? `${base}.csv` : `${base}-${index + 1}.csv`,
    text: writeXero(part),
  }));
}
