import { queryOptions } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';

/** Bucket of the photos of people; what a file contains never changes. */
export const personPhotos = () => supabase().storage.from('photos');

/** Side in pixels, for screens with two device pixels per CSS pixel. */
const SIDE = 192;

async function fetchPhoto(path: string): Promise<Blob> {
  const transform = { width: SIDE, height: SIDE, resize: 'cover' } as const;
  const small = await personPhotos().download(path, { transform });
  if (!small.error) return small.data;
  // Not every storage service resizes photos.
  const { data, error } = await personPhotos().download(path);
  if (error) throw error;
  return data;
}

/** @param path `photo_path` of the profile; missing in a cached profile of an earlier version */
export const personPhotoQuery = (path: string | null | undefined) =>
  queryOptions({
    queryKey: ['person-photo', path],
    queryFn: () => (path ? fetchPhoto(path) : Promise.reject(new Error('There is no photo.'))),
    enabled: Boolean(path),
    staleTime: Number.POSITIVE_INFINITY,
  });
