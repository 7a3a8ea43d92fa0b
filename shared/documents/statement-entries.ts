/** By kinds of client_statement. */
const ENTRY_NAMES: Record<string, string> = {
  opening: 'Opening balance',
  invoice: 'Invoice',
  credit_note: 'Credit note',
  receipt: 'Receipt',
  void: 'Receipt voided',
  refund: 'Refund',
  refund_return: 'Refund returned',
  closing: 'Closing balance',
};

export const nameOfEntry = ({ kind }: { kind: string }): string => ENTRY_NAMES[kind] ?? kind;

/** @returns for example "Invoice INV-2026-0007" */
export const titleOfEntry = ({ kind, document }: { kind: string; document: string }): string =>
  [nameOfEntry({ kind }), document].filter(Boolean).join(' ');
