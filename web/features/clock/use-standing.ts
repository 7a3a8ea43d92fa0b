// Whether the signed-in guard is clocked in, with what waits on this device counted in.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { onChange } from '#web/lib/outbox/changes.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { clockShiftsQuery, noteEvent } from './api/list-clock-shifts.ts';
import { clockEventsOf, withEvents } from './clock-event.ts';
import { standingOf } from './standing.ts';

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
