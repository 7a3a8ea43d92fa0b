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

const MOST = 200;
/** Until someone acknowledges it. */
const SOS_REPEAT_MS = 4_000;
const TABLES = ['alerts'] as const;

async function fetchUnanswered() {
  const { data } = await supabase()
    .from('alerts')
    .select('id, kind, detail, sites(name)')
    .is('closed_at', null)
    .is('acknowledged_at', null)
    .order('raised_at', { ascending: false })
    .limit(MOST)
    .throwOnError();
  return data;
}

/** Sounds and shows what is new, for as long as the board is open. */
export function useAlarms() {
  const sound = useChoice('sound');
  const notices = useChoice('notices');
  useLiveTable(TABLES, operationsKey);
  const { data } = useQuery({ queryKey: operationsKey, queryFn: fetchUnanswered });
  const known = useRef<Set<string>>(undefined);
  const hasSos = data?.some(({ kind }) => kind === 'sos') === true;

  useEffect(() => {
    if (!data) return;
    // What was open before the board was opened is not new.
    const before = known.current ?? new Set(data.map(({ id }) => id));
    const fresh = data.filter(({ id }) => !before.has(id));
    known.current = new Set([...before, ...data.map(({ id }) => id)]);
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
