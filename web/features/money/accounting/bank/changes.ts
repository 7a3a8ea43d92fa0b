import { refuseSimilar, type SimilarReceipt } from '#web/components/receipts/similar-receipts.tsx';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { BankDocument, BankLine, Feed } from './api.ts';
import type { FeedForm } from './feed-schema.ts';
import type { ReceiveForm } from './receive-schema.ts';
import type { StatementLine } from './statement-file.ts';

async function saveFeed(form: FeedForm) {
  await requireUserId();
  const optional = (name: string, text: string) =>
    text.trim() === '' ? {} : { [name]: text.trim() };
  const isOne = form.amounts === 'one';
  await supabase()
    .rpc('save_bank_feed', {
      p_bank_account_id: form.account,
      p_ledger: form.ledger,
      p_day_heading: form.day_heading,
      p_description_heading: form.description_heading,
      p_day_order: form.day_order,
      p_follows_balance: form.follows_balance,
      ...optional('p_reference_heading', form.reference_heading),
      ...optional('p_balance_heading', form.balance_heading),
      ...(isOne
        ? optional('p_amount_heading', form.amount_heading)
        : {
            ...optional('p_in_heading', form.in_heading),
            ...optional('p_out_heading', form.out_heading),
          }),
    })
    .throwOnError();
}

type Import = {
  id: string;
  account: string;
  fileName: string;
  lines: StatementLine[];
  /** Of a file without balances. */
  closing: number | null;
};

/** @returns the import, with how many of the lines were here already */
async function importLines({ id, account, fileName, lines, closing }: Import) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('import_bank_lines', {
      p_id: id,
      p_bank_account_id: account,
      p_file_name: fileName,
      p_rows: lines,
      ...(closing !== null && { p_closing: closing }),
    })
    .throwOnError();
  return data;
}

type Chosen = { line: string; documents: readonly Pick<BankDocument, 'kind' | 'id'>[] };

async function matchLine({ line, documents }: Chosen) {
  await requireUserId();
  await supabase()
    .rpc('match_bank_line', {
      p_line_id: line,
      p_documents: documents.map(({ kind, id }) => ({ kind, id })),
    })
    .throwOnError();
}

/** @returns how many lines */
async function matchSure(account: string) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('match_sure_lines', { p_bank_account_id: account })
    .throwOnError();
  return data;
}

async function unmatchLine(line: string) {
  await requireUserId();
  await supabase().rpc('unmatch_bank_line', { p_line_id: line }).throwOnError();
}

type Booking = { id: string; line: string; account: string; description: string; day: string };

async function bookLine({ id, line, account, description, day }: Booking) {
  await requireUserId();
  await supabase()
    .rpc('book_bank_line', {
      p_id: id,
      p_line_id: line,
      p_account: account,
      p_description: description,
      p_day: day,
    })
    .throwOnError();
}

type Receiving = {
  line: BankLine;
  feed: Feed;
  form: ReceiveForm;
  onSimilar: (receipts: SimilarReceipt[]) => void;
};

/** Records what the line is as a receipt, which pays the client's oldest invoices, and matches them. Safe to repeat. */
async function receiveLine({ line, feed, form, onSimilar }: Receiving) {
  await requireUserId();
  const { id, client, reference } = form;
  const { currency } = feed.account;
  const { amount, day: receivedOn } = line;
  if (!form.is_another)
    await refuseSimilar({ id, client, currency, amount, receivedOn, reference }, onSimilar);
  await supabase()
    .rpc('record_receipt', {
      p_id: id,
      p_client_id: client,
      p_currency: currency,
      p_amount: amount,
      p_withheld: amountOrNull(form.withheld) ?? 0,
      p_received_on: receivedOn,
      p_method: feed.ledger === 'mobile_money' ? 'mobile_money' : 'bank',
      p_reference: reference,
      p_bank_account_id: feed.bank_account_id,
    })
    .throwOnError();
  await matchLine({ line: line.id, documents: [{ kind: 'receipt', id }] });
}

async function undoImport(id: string) {
  await requireUserId();
  await supabase().rpc('undo_bank_import', { p_id: id }).throwOnError();
}

export const useSaveFeed = () => useChange(invoicesKey, saveFeed);
export const useImportLines = () => useChange(invoicesKey, importLines);
export const useMatchLine = () => useChange(invoicesKey, matchLine);
export const useMatchSure = () => useChange(invoicesKey, matchSure);
export const useUnmatchLine = () => useChange(invoicesKey, unmatchLine);
export const useBookLine = () => useChange(invoicesKey, bookLine);
export const useReceiveLine = () => useChange(invoicesKey, receiveLine);
export const useUndoImport = () => useChange(invoicesKey, undoImport);
