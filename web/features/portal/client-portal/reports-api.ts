import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { INCIDENTS_CATEGORY, INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { portal } from './backend.ts';
import { fetchAsContact } from './session.ts';

const factsSchema = z.object({
  site: z.string(),
  timezone: z.string(),
  category: z.enum(INCIDENTS_CATEGORY),
  severity: z.enum(INCIDENTS_SEVERITY),
  reported_at: z.string(),
  /** Only if it was written without a signal and arrived later. */
  written_at: z.optional(z.string()),
  /** Only if that was not when it was reported. */
  happened_at: z.optional(z.string()),
  /** Only if names are included. */
  reported_by: z.optional(z.string()),
});
const photosSchema = z.array(z.object({ id: z.string(), path: z.string(), taken_at: z.string() }));
const readersSchema = z.array(z.object({ name: z.string(), at: z.string() }));

async function fetchReports() {
  const { data } = await portal().rpc('client_reports', undefined, { get: true }).throwOnError();
  return data.map((row) => ({
    ...row,
    facts: factsSchema.parse(row.facts),
    photos: photosSchema.parse(row.photos),
    read_by: readersSchema.parse(row.read_by),
  }));
}
export type Report = Awaited<ReturnType<typeof fetchReports>>[number];
export type Photo = Report['photos'][number];

/** The newest first. */
export const reportsQuery = queryOptions({
  queryKey: [...clientPortalKey, 'reports'],
  queryFn: fetchReports,
});

async function acknowledge(id: string): Promise<void> {
  await portal().rpc('acknowledge_letter', { p_letter_id: id }).throwOnError();
}

export const useAcknowledge = () => useChange(reportsQuery.queryKey, acknowledge);

/** How long a signed link works. */
const LINK_SECONDS = 3600;
/** Side in pixels, for screens with two device pixels per CSS pixel. */
const THUMBNAIL_SIZE = 480;
const signedSchema = z.object({ signedURL: z.string() });

/** @throws if the contact may not see the photo (any more) */
async function signedLink(path: string, transform?: object): Promise<string> {
  const storage = `${backend.config.supabaseUrl}/storage/v1`;
  const name = path.split('/').map(encodeURIComponent).join('/');
  const answer = await fetchAsContact(`${storage}/object/sign/evidence/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ expiresIn: LINK_SECONDS, ...(transform && { transform }) }),
  });
  if (!answer.ok) throw new Error('This photo could not be loaded.');
  return storage + signedSchema.parse(await answer.json()).signedURL;
}

export const photoLinksQuery = ({ id, path }: Photo) =>
  queryOptions({
    queryKey: ['photo-links', id],
    queryFn: async () => {
      const size = { width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE, resize: 'cover' };
      const [full, thumbnail] = await Promise.all([signedLink(path), signedLink(path, size)]);
      return { full, thumbnail };
    },
    // Refetch before the links expire.
    staleTime: (LINK_SECONDS / 2) * 1000,
    refetchOnWindowFocus: false,
  });
