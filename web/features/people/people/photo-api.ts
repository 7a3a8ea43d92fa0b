import { StorageApiError } from '@supabase/supabase-js';
import { peopleKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { personPhotos } from '#web/lib/photos/person-photo.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Changes which file is the photo, and deletes the former one. */
async function assignPath(id: string, path?: string): Promise<void> {
  const { data: former } = await supabase()
    .rpc('set_person_photo', { p_user_id: id, ...(path && { p_path: path }) })
    .throwOnError();
  if (former === null) return;
  const { error } = await personPhotos().remove([former]);
  if (error) throw error;
}

type NewPhoto = {
  id: string;
  /** JPEG. */
  photo: Blob;
};

async function setPhoto({ id, photo }: NewPhoto): Promise<void> {
  const path = `${crypto.randomUUID()}.jpg`;
  const { error } = await personPhotos().upload(path, photo, { contentType: 'image/jpeg' });
  if (error) throw error;
  await assignPath(id, path);
}

export const useSetPhoto = () => useChange(peopleKey, setPhoto);

type Removal = { id: string; path: string };

/** @returns the photo, to restore it; undefined if its file was lost before */
async function removePhoto({ id, path }: Removal): Promise<Blob | undefined> {
  const { data, error } = await personPhotos().download(path);
  if (error && !(error instanceof StorageApiError)) throw error;
  await assignPath(id);
  return data ?? undefined;
}

export const useRemovePhoto = () => useChange(peopleKey, removePhoto);
