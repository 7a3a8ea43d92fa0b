// Links to the files of an incident that work for a while, for whoever may read them.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { isElsewhere, isPhoto } from '../evidence-kind.ts';
import type { Evidence } from '../schema.ts';

const SECONDS = 3600;
/** Pixels of a side, for screens that show two for one. */
const THUMBNAIL = 320;

type EvidenceLinks = {
  full: string;
  /** Of photos. */
  thumbnail: string | undefined;
};

async function linksOf(piece: Evidence): Promise<EvidenceLinks> {
  if (isElsewhere(piece)) return { full: piece.url, thumbnail: undefined };
  const files = supabase().storage.from('evidence');
  const size = { width: THUMBNAIL, height: THUMBNAIL, resize: 'cover' } as const;
  const [full, small] = await Promise.all([
    files.createSignedUrl(piece.url, SECONDS),
    isPhoto(piece) ? files.createSignedUrl(piece.url, SECONDS, { transform: size }) : undefined,
  ]);
  if (full.error) throw full.error;
  return { full: full.data.signedUrl, thumbnail: small?.data?.signedUrl };
}

/** Kept apart from the incident: a change of its status asks for no new links, which would load the photos again. */
export const evidenceLinks = (piece: Evidence) =>
  queryOptions({
    queryKey: ['evidence-links', piece.id],
    queryFn: () => linksOf(piece),
    // New ones before the old ones have ended.
    staleTime: (SECONDS / 2) * 1000,
    refetchOnWindowFocus: false,
  });

export const useEvidenceLinks = (piece: Evidence) => useQuery(evidenceLinks(piece));
