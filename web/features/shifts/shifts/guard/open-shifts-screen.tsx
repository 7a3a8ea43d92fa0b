// Shifts that the guard may ask for, and what became of the requests.
import { useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { OppositeButton } from '#web/components/ui/opposite-button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTimeRange, formatWeekday } from '#web/lib/format/dates.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import {
  type OpenShift,
  type OwnOffer,
  useAnswerSwap,
  useBid,
  useOpenShifts,
  useOwnOffers,
  useWithdraw,
} from './offers-api.ts';

/** @returns for example "Mon, Nov 23, 6:00 PM - 6:00 AM" */
function whenOf(start: string, end: string, zone: string): string {
  const [weekday] = formatWeekday(start, zone).split(',');
  return `${weekday}, ${formatTimeRange(start, end, zone)}`;
}

function useAction() {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    async run(work: () => Promise<unknown>, done: string, text?: string) {
      setBusy(true);
      try {
        await work();
        showSuccess(done, text);
      } catch (error) {
        showError('Error', describeError(error));
      } finally {
        setBusy(false);
      }
    },
  };
}

function OpenShiftRow({ shift }: { shift: OpenShift }) {
  const bid = useBid();
  const withdraw = useWithdraw();
  const { busy, run } = useAction();
  const { site_name, timezone, start_time, end_time, bid_id, seats, distance_km } = shift;
  const when = whenOf(start_time, end_time, timezone);
  const facts = [
    shift.post_name,
    shift.client_name,
    distance_km !== null && `${distance_km} km from home`,
    seats > 1 && `${seats} posts free`,
  ];
  return (
    <li className="px-4 py-3.5 sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <p className="font-semibold text-balance tabular-nums">{when}</p>
        {bid_id && <Badge tone="orange">Asked</Badge>}
      </div>
      <p className="mt-0.5 break-words">{site_name}</p>
      <p className="text-sm break-words text-muted">{facts.filter(Boolean).join(' · ')}</p>
      <div className="mt-2.5 flex gap-2.5 max-sm:*:flex-1">
        {bid_id ? (
          <OppositeButton
            {...{ spot: `bid ${shift.shift_id}`, action: 'withdraw', settled: 'Requested' }}
            variant="secondary"
            busy={busy}
            aria-label={`Withdraw request, ${site_name}, ${when}`}
            onClick={() => run(() => withdraw.mutateAsync(bid_id), 'Request Withdrawn')}
          >
            Withdraw
          </OppositeButton>
        ) : (
          <OppositeButton
            {...{ spot: `bid ${shift.shift_id}`, action: 'ask', settled: 'Withdrawn' }}
            busy={busy}
            aria-label={`Ask for this shift, ${site_name}, ${when}`}
            onClick={() =>
              run(
                () => bid.mutateAsync(shift.shift_id),
                'Shift Requested',
                'You get a notice when it is decided.',
              )
            }
          >
            Ask for this shift
          </OppositeButton>
        )}
      </div>
    </li>
  );
}

const OUTCOMES: Record<OwnOffer['status'], { label: string; tone: Tone }> = {
  asked: { label: 'Waits for your colleague', tone: 'orange' },
  open: { label: 'Waits for a decision', tone: 'orange' },
  approved: { label: 'Approved', tone: 'green' },
  declined: { label: 'Declined', tone: 'red' },
  withdrawn: { label: 'Withdrawn', tone: 'grey' },
  lapsed: { label: 'Taken by someone else', tone: 'grey' },
};

function outcomeOf({ kind, status, is_mine }: OwnOffer) {
  if (status === 'asked' && !is_mine) return { label: 'Your answer', tone: 'orange' as const };
  if (status === 'lapsed' && kind === 'swap') return { label: 'Off', tone: 'grey' as const };
  return OUTCOMES[status];
}

function titleOf({ kind, is_mine, other_name }: OwnOffer): string {
  if (kind !== 'swap') return 'You asked for this shift';
  return is_mine ? `You offered this shift to ${other_name}` : `${other_name} asks you to take`;
}

function OfferRow({ offer }: { offer: OwnOffer }) {
  const withdraw = useWithdraw();
  const answer = useAnswerSwap();
  const { busy, run } = useAction();
  const [isAccepting, setAccepting] = useState(false);
  const { id, status, is_mine, timezone, return_start, return_end } = offer;
  const { label, tone } = outcomeOf(offer);
  const when = whenOf(offer.start_time, offer.end_time, timezone);
  const returned = return_start && return_end ? whenOf(return_start, return_end, timezone) : null;
  const inReturn = returned && `In return: ${is_mine ? 'their' : 'your'} shift of ${returned}`;
  return (
    <li className="px-4 py-3.5 sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 text-sm text-muted">{titleOf(offer)}</p>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-0.5 font-semibold tabular-nums">{when}</p>
      <p className="break-words">{offer.site_name}</p>
      {inReturn && <p className="text-sm tabular-nums">{inReturn}</p>}
      {offer.note && <p className="mt-1 text-sm break-words text-muted">{offer.note}</p>}
      {offer.decision_note && (
        <p className="mt-1 border-l-2 border-accent-fill pl-3 text-sm break-words">
          {offer.decision_note}
        </p>
      )}
      {status === 'asked' && !is_mine && (
        <div className="mt-2.5 flex gap-2.5 max-sm:*:flex-1">
          <Button onClick={() => setAccepting(true)} aria-haspopup="dialog">
            Accept
          </Button>
          <Button
            variant="secondary"
            busy={busy}
            onClick={() => run(() => answer.mutateAsync({ id, accepts: false }), 'Swap Declined')}
          >
            Decline
          </Button>
        </div>
      )}
      {is_mine && (status === 'asked' || status === 'open') && offer.kind === 'swap' && (
        <div className="mt-2.5 flex gap-2.5 max-sm:*:flex-1">
          <Button
            variant="secondary"
            busy={busy}
            onClick={() => run(() => withdraw.mutateAsync(id), 'Request Withdrawn')}
          >
            Withdraw
          </Button>
        </div>
      )}
      {isAccepting && (
        <ConfirmDialog
          title="Take this shift?"
          confirmLabel="Accept Swap"
          variant="primary"
          success="Swap Accepted"
          onConfirm={() => answer.mutateAsync({ id, accepts: true })}
          onClose={() => setAccepting(false)}
        >
          {offer.site_name}, {when}. {returned && `You give your shift of ${returned}. `}
          Your supervisor decides next; then the shift is yours.
        </ConfirmDialog>
      )}
    </li>
  );
}

export function OpenShifts() {
  const open = useOpenShifts();
  const own = useOwnOffers();
  return (
    <div className="grid gap-6">
      <LoadedList
        title="Open shifts"
        level={1}
        query={open}
        loadingText="Loading open shifts..."
        emptyText="No open shifts that you may take in the next 14 days."
      >
        {(shift) => <OpenShiftRow key={shift.shift_id} shift={shift} />}
      </LoadedList>
      <Below queries={[open]}>
        <LoadedList
          title="Requests and swaps"
          query={own}
          loadingText="Loading requests..."
          emptyText="No requests yet. To swap a shift, open My Shifts."
        >
          {(offer) => <OfferRow key={offer.id} offer={offer} />}
        </LoadedList>
      </Below>
    </div>
  );
}
