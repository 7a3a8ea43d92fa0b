import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { onChange } from '#web/lib/outbox/changes.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { waitsWords } from '#web/lib/outbox/words.ts';
import { clockEventsOf, withEvents } from './clock-event.ts';
import { clockShiftsQuery, noteEvent } from './clock-shifts.ts';
import { standingOf } from './duty-status.ts';
import { type Clocking, recordClockEvent } from './record-clock-event.ts';

const TICK_MS = 5_000;

/** @returns milliseconds since 1970 by the server's clock, as far as it is known; undefined for a moment; goes on by itself */
function useServerNow(): number | undefined {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    const read = async () => {
      // Where the browser's storage fails, the clock of the device has to do.
      const { at, offsetMs } = await deviceTime().catch(() => ({ at: Date.now(), offsetMs: null }));
      setNow(at + (offsetMs ?? 0));
    };
    void read();
    const timer = setInterval(() => void read(), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** @returns the query of the shifts, and `standing`, undefined until something is known */
export function useStanding(userId: string) {
  const queryClient = useQueryClient();
  const query = useQuery(clockShiftsQuery(userId));
  const { waiting, refused, isRead } = useOutbox();
  const now = useServerNow();
  const events = clockEventsOf(waiting);

  const follow = useEffectEvent((id: string, outcome: string) => {
    const event = events.find((known) => known.id === id);
    if (outcome === 'sent' && event) void noteEvent(queryClient, userId, event);
    else if (outcome === 'sent' || outcome === 'refused') {
      void queryClient.invalidateQueries({ queryKey: clockShiftsQuery(userId).queryKey });
    }
  });
  useEffect(() => onChange(({ id, outcome }) => follow(id, outcome)), []);

  // Without what waits on this device, or by a clock that is hours off, it would be a false one.
  const isKnown = query.data && isRead && now !== undefined;
  return {
    query,
    now: now ?? Date.now(),
    standing: isKnown ? standingOf(withEvents(query.data.shifts, events), now) : undefined,
    /** Clock events that the server refused, as entries of the outbox. */
    refused: refused.filter(({ kind }) => kind === 'clock'),
  };
}

const SUCCESS = { in: 'Clocked In', out: 'Clocked Out', reopen: 'You are clocked in again' };
type Kind = Clocking['kind'];

/**
 * @returns `clock`, which resolves to whether the event is kept or stored; the kind that is in progress (`doing`), and the kind
 * that succeeded last (`done`)
 */
export function useClock(userId: string) {
  const queryClient = useQueryClient();
  const [doing, setDoing] = useState<Kind>();
  const [done, setDone] = useState<Kind>();

  async function clock(clocking: Omit<Clocking, 'userId'>): Promise<boolean> {
    if (doing) return false;
    setDoing(clocking.kind);
    try {
      const { event, outcome } = await recordClockEvent({ ...clocking, userId });
      if (outcome.state === 'refused') {
        showError('Error', outcome.reason);
        return false;
      }
      if (outcome.state === 'sent') void noteEvent(queryClient, userId, event);
      // Together with `doing`, so that the form never shows the next button where a second tap may land.
      setDone(clocking.kind);
      showSuccess(SUCCESS[clocking.kind], waitsWords(outcome));
      return true;
    } catch (error) {
      showError('Error', messageOf(error));
      // The server may have it although its answer was lost.
      void queryClient.invalidateQueries({ queryKey: clockShiftsQuery(userId).queryKey });
      return false;
    } finally {
      setDoing(undefined);
    }
  }

  return { clock, doing, done };
}
