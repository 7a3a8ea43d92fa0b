import { formatTime } from '#web/lib/format/dates.ts';
import { CALL_RESULT_LABELS } from '#web/lib/vocabulary/kinds.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import type { ShiftCall, ShiftOffer } from './api.ts';

type OfferState = { label: string; tone: Tone };

/** The outcome in the words of the control room. */
export function offerState({ status, answer, decision_note }: ShiftOffer): OfferState {
  if (status === 'asked') return { label: 'Asked', tone: 'orange' };
  if (status === 'approved') return { label: 'Said yes', tone: 'green' };
  if (status === 'declined') return { label: 'Said no', tone: 'red' };
  if (status === 'withdrawn' && answer === null) return { label: 'Withdrawn', tone: 'grey' };
  if (answer === 'yes') {
    const isRefused = decision_note?.startsWith('You can') ?? false;
    return isRefused ? { label: 'Not allowed', tone: 'red' } : { label: 'Too late', tone: 'grey' };
  }
  return { label: answer === 'no' ? 'Said no' : 'Closed', tone: 'grey' };
}

/** @returns for example "No answer, 05:46 (phone rang twice)" */
export function callText({ result, created_at, note }: ShiftCall, zone: string): string {
  const text = `${CALL_RESULT_LABELS[result]}, ${formatTime(created_at, zone)}`;
  return note ? `${text} (${note})` : text;
}
