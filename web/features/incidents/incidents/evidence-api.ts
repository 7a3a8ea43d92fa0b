import { queryOptions, useQuery } from '@tanstack/react-query';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { changeOne } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { isExternal, isPhoto } from './evidence-rules.ts';
import type { Evidence } from './schema.ts';

/** How long a signed link works. */
const LINK_SECONDS = 3600;
/** Side in pixels, for screens with two device pixels per CSS pixel. */
const THUMBNAIL_SIZE = 320;

type EvidenceLinks = {
  full: string;
  /** Only of photos. */
  thumbnail: string | undefined;
};

async function fetchLinks(evidence: Evidence): Promise<EvidenceLinks> {
  if (isExternal(evidence)) return { full: evidence.url, thumbnail: undefined };
  const bucket = supabase().storage.from('evidence');
  const size = { width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE, resize: 'cover' } as const;
  const [full, thumbnail] = await Promise.all([
    bucket.createSignedUrl(evidence.url, LINK_SECONDS),
    isPhoto(evidence)
      ? bucket.createSignedUrl(evidence.url, LINK_SECONDS, { transform: size })
      : undefined,
  ]);
  if (full.error) throw full.error;
  return { full: full.data.signedUrl, thumbnail: thumbnail?.data?.signedUrl };
}

/** Not under the incidents' key: a change of status would fetch new links and load the photos again. */
export const evidenceLinks = (evidence: Evidence) =>
  queryOptions({
    queryKey: ['evidence-links', evidence.id],
    queryFn: () => fetchLinks(evidence),
    // Refetch before the links expire.
    staleTime: (LINK_SECONDS / 2) * 1000,
    refetchOnWindowFocus: false,
  });

export const useEvidenceLinks = (evidence: Evidence) => useQuery(evidenceLinks(evidence));

/** Deletes the row before the file: a row must never point to a missing file. */
async function removeEvidence(evidence: Evidence): Promise<void> {
  await changeOne(supabase().from('evidence').delete().eq('id', evidence.id), 'piece of evidence');
  if (isExternal(evidence)) return;
  const { error } = await supabase().storage.from('evidence').remove([evidence.url]);
  if (error) throw error;
}

export const useRemoveEvidence = () => useChange(incidentsKey, removeEvidence);
