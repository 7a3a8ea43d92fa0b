// Clocking in or out from a screen: shows the outcome, and never runs twice at once.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { waitsWords } from '#web/lib/outbox/words.ts';
import { clockShiftsQuery, noteEvent } from './api/list-clock-shifts.ts';
import { type Clocking, recordClockEvent } from './api/record-clock-event.ts';

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
