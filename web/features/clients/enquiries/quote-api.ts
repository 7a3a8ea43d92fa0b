import { useQuery } from '@tanstack/react-query';
import { enquiriesKey, quotesKey } from '#web/lib/data/keys.ts';
import { existing } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type QuoteForm, toSavedQuote } from './quote-schema.ts';

async function fetchQuote(id: string) {
  const { data } = await supabase()
    .from('quotes')
    .select('*, quote_lines(*), answerer:profiles!decided_by(full_name, email)')
    .eq('id', id)
    .order('position', { referencedTable: 'quote_lines' })
    .maybeSingle()
    .throwOnError();
  return existing(data, 'quote');
}
export type OpenedQuote = Awaited<ReturnType<typeof fetchQuote>>;

export const useQuote = (id: string) =>
  useLiveQuery(['quotes', 'quote_lines'], quotesKey, {
    queryKey: [...quotesKey, 'one', id],
    queryFn: () => fetchQuote(id),
  });

async function fetchQuotesOf(enquiryId: string) {
  const { data } = await supabase()
    .from('quotes')
    .select('id, number, version, status, valid_until, site_name, currency, total, contract_id')
    .eq('enquiry_id', enquiryId)
    .order('created_at', { ascending: false })
    .order('id')
    .throwOnError();
  return data;
}

export const useQuotesOf = (enquiryId: string) =>
  useLiveQuery('quotes', quotesKey, {
    queryKey: [...quotesKey, 'of enquiry', enquiryId],
    queryFn: () => fetchQuotesOf(enquiryId),
  });

async function fetchEnquiry(id: string) {
  const { data } = await supabase()
    .from('contact_messages')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return existing(data, 'enquiry');
}

/** The enquiry that a new quote answers. */
export const useAnsweredEnquiry = (id: string) =>
  useQuery({ queryKey: [...enquiriesKey, 'answered', id], queryFn: () => fetchEnquiry(id) });

type Saving = {
  id: string;
  enquiryId: string;
  /** `updated_at` of the version on screen; undefined for a new quote. */
  seen: string | undefined;
  form: QuoteForm;
};

async function saveQuote({ id, enquiryId, seen, form }: Saving): Promise<void> {
  await supabase()
    .rpc('save_quote', {
      p_id: id,
      p_enquiry_id: enquiryId,
      ...toSavedQuote(form),
      ...(seen !== undefined && { p_seen: seen }),
    })
    .throwOnError();
}

export const useSaveQuote = () => useChange(quotesKey, saveQuote);

async function discardQuote(id: string): Promise<void> {
  await supabase().rpc('delete_quote', { p_id: id }).throwOnError();
}

export const useDiscardQuote = () => useChange(quotesKey, discardQuote);

async function sendQuote({ id, email }: { id: string; email: string }): Promise<void> {
  await supabase().rpc('send_quote', { p_id: id, p_email: email }).throwOnError();
}

export const useSendQuote = () => useChange(quotesKey, sendQuote);

async function reviseQuote(id: string) {
  const { data } = await supabase().rpc('revise_quote', { p_id: id }).throwOnError();
  return data;
}

export const useReviseQuote = () => useChange(quotesKey, reviseQuote);

type Answer = { id: string; status: 'accepted' | 'declined' | 'sent'; reason?: string };

async function answerQuote({ id, status, reason = '' }: Answer): Promise<void> {
  await supabase()
    .rpc('answer_quote', { p_id: id, p_status: status, p_reason: reason })
    .throwOnError();
}

export const useAnswerQuote = () => useChange(quotesKey, answerQuote);

async function turnIntoContract(id: string) {
  const { data } = await supabase().rpc('turn_into_contract', { p_quote_id: id }).throwOnError();
  return data;
}

export const useTurnIntoContract = () => useChange(quotesKey, turnIntoContract);

async function takeContractBack(id: string): Promise<void> {
  await supabase().rpc('take_contract_back', { p_quote_id: id }).throwOnError();
}

export const useTakeContractBack = () => useChange(quotesKey, takeContractBack);
