import { keepPreviousData } from '@tanstack/react-query';
import { insertOnce } from '#web/lib/data/insert-once.ts';
import { roomNotesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Of the notes beside the board. */
export const BOARD_DAYS = 3;
const COLUMNS = `id, body, is_pinned, site_id, created_at, sites(name),
  author:profiles!room_notes_created_by_fkey(full_name, email)`;

/** Pinned notes of any age first, then what was written in the last days; each newest first. */
async function fetchNotes(days: number) {
  const since = new Date(Date.now() - days * 24 * 3_600_000).toISOString();
  const { data } = await supabase()
    .from('room_notes')
    .select(COLUMNS)
    .or(`is_pinned.is.true,created_at.gte.${since}`)
    .order('is_pinned', { ascending: false })
    .order('created_at', { ascending: false })
    .limit(1000)
    .throwOnError();
  return data;
}

export type RoomNote = Awaited<ReturnType<typeof fetchNotes>>[number];

export const useRoomNotes = (days: number) =>
  useLiveQuery('room_notes', roomNotesKey, {
    queryKey: [...roomNotesKey, days],
    queryFn: () => fetchNotes(days),
    placeholderData: keepPreviousData,
  });

type NewNote = { id: string; body: string; is_pinned: boolean; site_id: string | null };

/** Safe to repeat after a lost reply: the note keeps its id. */
async function add(note: NewNote): Promise<void> {
  await insertOnce(note, {
    insert: () => supabase().from('room_notes').insert(note).throwOnError(),
    fetchStored: () =>
      supabase()
        .from('room_notes')
        .select('id, body, is_pinned, site_id')
        .eq('id', note.id)
        .maybeSingle()
        .throwOnError(),
  });
}

async function pin({ id, isPinned }: { id: string; isPinned: boolean }): Promise<void> {
  await supabase()
    .from('room_notes')
    .update({ is_pinned: isPinned })
    .eq('id', id)
    .select('id')
    .single()
    .throwOnError();
}

export const useAddRoomNote = () => useChange(roomNotesKey, add);
export const usePinRoomNote = () => useChange(roomNotesKey, pin);
