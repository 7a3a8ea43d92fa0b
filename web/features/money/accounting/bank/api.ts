import { keepPreviousData } from '@tanstack/react-query';
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { BOOKED_TABLES } from '#web/lib/data/booked-tables.ts';
import { bankAccountsKey, invoicesKey } from '#web/lib/data/keys.ts';
import { toRange } from '#web/lib/data/list-search.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

type Tables = Database['public']['Tables'];
export type Feed = Tables['bank_feeds']['Row'] & { account: BankAccount };
type BankAccount = Pick<
  Tables['bank_accounts']['Row'],
  'id' | 'bank_name' | 'account_title' | 'account_number' | 'currency' | 'status'
>;
export type BankLine = Tables['bank_lines']['Row'];
export type BankImport = Tables['bank_imports']['Row'];

/** Below that of invoices, whose changes are changes of what is matched. */
const bankKey = [...invoicesKey, 'bank'] as const;
const BANK_TABLES = ['bank_feeds', 'bank_imports', 'bank_lines', 'bank_matches'] as const;
const ALL_TABLES = [...BOOKED_TABLES, ...BANK_TABLES] as const;

export const useFeeds = () =>
  useLiveQuery(['bank_feeds', 'bank_accounts'], invoicesKey, {
    queryKey: [...bankKey, 'feeds'],
    queryFn: async (): Promise<Feed[]> => {
      const { data } = await supabase()
        .from('bank_feeds')
        .select(
          '*, account:bank_accounts(id, bank_name, account_title, account_number, currency, status)',
        )
        .order('created_at')
        .order('id')
        .throwOnError();
      return data;
    },
  });

/** Accounts in a currency of the books, whether or not their statements are imported. */
export const useBankAccounts = () =>
  useLiveQuery('bank_accounts', bankAccountsKey, {
    queryKey: [...bankAccountsKey, 'of the books'],
    queryFn: async (): Promise<BankAccount[]> => {
      const { data } = await supabase()
        .from('bank_accounts')
        .select('id, bank_name, account_title, account_number, currency, status')
        .in('currency', ['USD', 'LRD'])
        .order('bank_name')
        .order('account_title')
        .order('id')
        .limit(200)
        .throwOnError();
      return data;
    },
  });

export const LINES_PAGE = 25;

const documentSchema = z.object({
  kind: z.string(),
  id: z.string(),
  document: z.string().nullable(),
  text: z.string().nullable(),
  amount: z.string(),
});
export type BankDocument = z.infer<typeof documentSchema> & { day?: string };

const openDocumentSchema = documentSchema.extend({ day: z.string() });

const proposalSchema = z.object({
  line_id: z.string(),
  reason: z.string(),
  sure: z.boolean(),
  documents: z.array(openDocumentSchema),
});
export type Proposal = z.infer<typeof proposalSchema>;

type LinesOf = { account: string; isMatched: boolean; page: number };

async function fetchMatches(lines: readonly BankLine[]) {
  if (lines.length === 0) return [];
  const { data } = await supabase()
    .rpc('bank_matches_of', { p_line_ids: lines.map(({ id }) => id) })
    .throwOnError();
  return z.array(documentSchema.extend({ line_id: z.string() })).parse(data);
}

/** A page of lines, with the documents of matched ones. Newest first. */
async function fetchLines({ account, isMatched, page }: LinesOf) {
  const lines = supabase()
    .from('bank_lines')
    .select('*', { count: 'exact' })
    .eq('bank_account_id', account);
  const { data, count } = await (isMatched
    ? lines.not('matched_at', 'is', null)
    : lines.is('matched_at', null)
  )
    .order('day', { ascending: false })
    .order('position', { ascending: false })
    .order('id')
    .range(...toRange(page, LINES_PAGE))
    .throwOnError();
  return { rows: data, total: count ?? 0, matches: isMatched ? await fetchMatches(data) : [] };
}
export type Lines = Awaited<ReturnType<typeof fetchLines>>;

export const useLines = (of: LinesOf) =>
  useLiveQuery(ALL_TABLES, invoicesKey, {
    queryKey: [...bankKey, 'lines', of],
    queryFn: () => fetchLines(of),
    placeholderData: keepPreviousData,
  });

export const useProposals = (account: string) =>
  useLiveQuery(ALL_TABLES, invoicesKey, {
    queryKey: [...bankKey, 'proposals', account],
    queryFn: async () => {
      const { data } = await supabase()
        .rpc('bank_proposals', { p_bank_account_id: account })
        .throwOnError();
      return z.array(proposalSchema).parse(data);
    },
  });

/** @param day those near to it, if there are many */
export const useOpenDocuments = (account: string, day: string) =>
  useLiveQuery(ALL_TABLES, invoicesKey, {
    queryKey: [...bankKey, 'documents', account, day],
    queryFn: async () => {
      const { data } = await supabase()
        .rpc('open_bank_documents', { p_bank_account_id: account, p_day: day })
        .throwOnError();
      return z.array(openDocumentSchema).parse(data);
    },
  });

const reconciliationSchema = z
  .object({
    currency: z.string(),
    first_day: z.string(),
    statement: z.string(),
    books: z.string(),
    difference: z.string(),
    before: z.string(),
    line_total: z.string(),
    document_total: z.string(),
    line_count: z.number(),
    document_count: z.number(),
    lines: z.array(
      z.object({ id: z.string(), day: z.string(), text: z.string(), amount: z.string() }),
    ),
    documents: z.array(openDocumentSchema),
    accounts: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        balance: z.string().nullable(),
        last_day: z.string(),
        missing: z.string(),
      }),
    ),
  })
  .nullable();
export type Reconciliation = NonNullable<z.infer<typeof reconciliationSchema>>;

/** Null before the first statement. */
export const useReconciliation = (account: string, day: string) =>
  useLiveQuery(ALL_TABLES, invoicesKey, {
    queryKey: [...bankKey, 'reconciliation', account, day],
    queryFn: async () => {
      const { data } = await supabase()
        .rpc('bank_reconciliation', { p_bank_account_id: account, p_day: day })
        .throwOnError();
      return reconciliationSchema.parse(data);
    },
    placeholderData: keepPreviousData,
  });

export const useImports = (account: string) =>
  useLiveQuery(BANK_TABLES, invoicesKey, {
    queryKey: [...bankKey, 'imports', account],
    queryFn: async (): Promise<BankImport[]> => {
      const { data } = await supabase()
        .from('bank_imports')
        .select()
        .eq('bank_account_id', account)
        .order('last_day', { ascending: false })
        .order('created_at', { ascending: false })
        .order('id')
        .limit(100)
        .throwOnError();
      return data;
    },
  });
