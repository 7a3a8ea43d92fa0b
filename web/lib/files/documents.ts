// Files in bucket receipts: of expenses, filed returns and certificates of clients. A record has at most one.
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useChange } from '../data/use-change.ts';
import { requireUserId } from '../session/auth.ts';
import { supabase } from '../supabase/client.ts';
import { storableName } from './upload-file.ts';

/** A record with a file, and how its path is stored. */
export type Documented = {
  id: string;
  path: string | null;
  store: (path: string | null) => Promise<void>;
  /** Root of the query keys that show the path. */
  key: QueryKey;
};

const bucket = () => supabase().storage.from('receipts');

/** The bucket's limit. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

const LINK_SECONDS = 600;

async function fetchLink(path: string): Promise<string> {
  const { data, error } = await bucket().createSignedUrl(path, LINK_SECONDS);
  if (error) throw error;
  return data.signedUrl;
}

export function useDocumentLink(path: string) {
  return useQuery({
    queryKey: ['documents', path],
    queryFn: () => fetchLink(path),
    // Refetched well before the link expires.
    staleTime: (LINK_SECONDS / 2) * 1000,
  });
}

async function attach({ id, path: before, store }: Documented, file: File): Promise<void> {
  const path = `${id}/${storableName(file.name)}`;
  const { error } = await bucket().upload(path, file, { upsert: true });
  if (error) throw error;
  await store(path);
  if (!before || before === path) return;
  const removed = await bucket().remove([before]);
  if (removed.error) throw removed.error;
}

async function remove({ path, store }: Documented): Promise<void> {
  await store(null);
  if (!path) return;
  const { error } = await bucket().remove([path]);
  if (error) throw error;
}

export const useAttachDocument = (record: Documented) =>
  useChange(record.key, (file: File) => attach(record, file));

export const useRemoveDocument = (record: Documented) =>
  useChange(record.key, () => remove(record));

/** Of a filed return, or of the certificate of a receipt. */
export type DocumentOwner = 'vat_return' | 'pay_return' | 'receipt';

export async function storeDocument(of: DocumentOwner, id: string, path: string | null) {
  await requireUserId();
  await supabase()
    .rpc('set_document', { p_of: of, p_id: id, ...(path !== null && { p_path: path }) })
    .throwOnError();
}
