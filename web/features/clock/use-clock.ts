// The act of clocking in or out from a screen: says how it ended, and can't be done twice at once.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { waitsWords } from '#web/lib/outbox/words.ts';
import { clockShiftsQuery, noteEvent } from './api/list-clock-shifts.ts';
import { type Clocking, recordClockEvent } from './api/record-clock-event.ts';

/** @returns `clock`, which tells whether the event is kept or stored, and which kind it is `doing` at the moment */
export function useClock(userId: string) {
  const queryClient = useQueryClient();
  const [doing, setDoing] = useState<'in' | 'out'>();

  async function clock(clocking: Omit<Clocking, 'userId'>): Promise<boolean> {
    if (doing) return false;
    setDoing(clocking.kind);
    try {
      const { event, outcome } = await recordClockEvent({ ...clocking, userId });
      if (outcome.state === 'refused') {
        showError('Error', outcome.reason);
        return false;
      }
      const done = clocking.kind === 'in' ? 'Clocked In' : 'Clocked Out';
      if (outcome.state === 'sent') void noteEvent(queryClient, userId, event);
      showSuccess(done, waitsWords(outcome));
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

  return { clock, doing };
}
