import { RECEIPTS_METHOD } from '#shared/database.values.ts';

export const RECEIPT_METHOD_LABELS: Record<(typeof RECEIPTS_METHOD)[number], string> = {
  bank: 'Bank',
  cash: 'Cash',
  mobile_money: 'Mobile money',
  cheque: 'Cheque',
  write_off: 'Written off',
};

/** How money comes: a difference that is written off is none. */
export const RECEIVED_BY = RECEIPTS_METHOD.filter((method) => method !== 'write_off');
