// A link to a receipt that works for a short while, for whoever may read it.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';

const SECONDS = 600;

async function receiptLink(path: string): Promise<string> {
  const { data, error } = await supabase().storage.from('receipts').createSignedUrl(path, SECONDS);
  if (error) throw error;
  return data.signedUrl;
}

export function useReceiptLink(path: string) {
  return useQuery({
    queryKey: [...expensesKey, 'receipt', path],
    queryFn: () => receiptLink(path),
    // A new one before the old one has ended.
    staleTime: (SECONDS / 2) * 1000,
  });
}
