import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { operationsKey } from '#web/lib/data/keys.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { useChoice } from './alarm-choices.ts';
import { allowSound, playSound } from './alarm-sound.ts';

const isSupported = () => 'Notification' in window;

/** Asks the user, in a press. @returns whether notices may show */
export async function allowNotices(): Promise<boolean> {
  return isSupported() && (await Notification.requestPermission()) === 'granted';
}

/** @param tag one notice for each; a later one with the same tag replaces it */
export async function showNotice(title: string, body: string, tag: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return;
  // Phones allow only those of the service worker.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(title, { body, tag });
  else new Notification(title, { body, tag }).onclick = () => window.focus();
}

/** The latest: older ones are not new. */
const MOST = 200;
/** A transaction that began earlier may end later. */
const OVERLAP_MS = 60_000;
/** Until someone acknowledges it. */
const SOS_REPEAT_MS = 4_000;
const TABLES = ['alerts'] as const;

const unanswered = () =>
  supabase()
    .from('alerts')
    .select('id, kind, detail, raised_at, sites(name)')
    .is('closed_at', null)
    .is('acknowledged_at', null);

/** The latest, and every SOS, however many alerts came after it. */
async function fetchUnanswered() {
  const [latest, sos] = await Promise.all(
    [unanswered(), unanswered().eq('kind', 'sos')].map((query) =>
      query.order('raised_at', { ascending: false }).limit(MOST).throwOnError(),
    ),
  );
  return { latest: latest?.data ?? [], hasSos: (sos?.data.length ?? 0) > 0 };
}

/** Sounds and shows what is new, for as long as the board is open. */
export function useAlarms() {
  const sound = useChoice('sound');
  const notices = useChoice('notices');
  useLiveTable(TABLES, operationsKey);
  const { data } = useQuery({ queryKey: operationsKey, queryFn: fetchUnanswered });
  const known = useRef<{ ids: Set<string>; newest: number }>(undefined);
  const hasSos = data?.hasSos === true;

  useEffect(() => {
    if (!data) return;
    const { latest } = data;
    const before = known.current;
    known.current = {
      ids: new Set([...(before?.ids ?? []), ...latest.map(({ id }) => id)]),
      newest: Math.max(
        before?.newest ?? 0,
        ...latest.map(({ raised_at }) => Date.parse(raised_at)),
      ),
    };
    // Alerts that were open before the board opened are not new, nor those that move up when later ones are answered.
    if (!before) return;
    const fresh = latest.filter(
      ({ id, raised_at }) =>
        !before.ids.has(id) && Date.parse(raised_at) >= before.newest - OVERLAP_MS,
    );
    if (fresh.length === 0) return;
    if (sound && !hasSos) playSound('alert');
    if (!notices) return;
    for (const { id, kind, detail, sites } of fresh) {
      const title = kind === 'sos' ? `SOS: ${sites.name}` : sites.name;
      showNotice(title, detail ?? 'New alert', id).catch((error: unknown) =>
        console.warn('The notice could not be shown:', error),
      );
    }
  }, [data, sound, notices, hasSos]);

  useEffect(() => {
    if (!sound || !hasSos) return;
    playSound('sos');
    const timer = setInterval(() => playSound('sos'), SOS_REPEAT_MS);
    return () => clearInterval(timer);
  }, [sound, hasSos]);

  // After a reload the browser waits for the first press on the page.
  useEffect(() => {
    if (!sound) return;
    const allow = () => void allowSound();
    allow();
    addEventListener('pointerdown', allow);
    addEventListener('keydown', allow);
    return () => {
      removeEventListener('pointerdown', allow);
      removeEventListener('keydown', allow);
    };
  }, [sound]);
}
