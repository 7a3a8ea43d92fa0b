// "Can you come?" at the top of the staff portal, and what became of the answer.
import { Check, HandHelping } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { markPressed, OppositeButton } from '#web/components/ui/opposite-button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTimeRange, formatWeekday } from '#web/lib/format/dates.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { type OfferToMe, submitOfferAnswer, useOffersToMe, waitingAnswer } from './api.ts';

type Outcome = { title: string; text?: string; tone: string };

/** @returns what became of the offer; undefined while the guard is asked */
function outcomeOf(offer: OfferToMe, queued: boolean | undefined): Outcome | undefined {
  const { status, answer, decision_note } = offer;
  if (queued !== undefined) {
    return {
      title: queued ? 'You said yes. Waiting to send.' : 'You said no. Waiting to send.',
      text: 'The post is yours only once it is confirmed here.',
      tone: 'border-warning',
    };
  }
  if (status === 'approved') {
    return { title: 'The shift is yours', text: 'It is in My Shifts.', tone: 'border-success' };
  }
  if (status === 'lapsed' || status === 'withdrawn') {
    return {
      title: answer === 'yes' ? 'Too late' : 'No longer needed',
      text: decision_note ?? 'The shift is over.',
      tone: 'border-line',
    };
  }
  if (status === 'declined') return { title: 'You said no', tone: 'border-line' };
  return undefined;
}

type OfferCardProps = { userId: string; offer: OfferToMe; queued: boolean | undefined };

function OfferCard({ userId, offer, queued }: OfferCardProps) {
  const [busy, setBusy] = useState<boolean>();
  const { status, site_name, timezone, start_time, end_time, is_free } = offer;
  const outcome = outcomeOf(offer, queued);
  const [weekday] = formatWeekday(start_time, timezone).split(',');
  const when = `${weekday}, ${formatTimeRange(start_time, end_time, timezone)}`;
  const facts = [
    offer.post_name,
    // Some sites are named after their client.
    offer.client_name !== site_name && offer.client_name,
    offer.distance_km !== null && `${offer.distance_km} km from home`,
  ];
  // A no can become a yes while nobody else has come.
  const mayStillCome = queued === undefined && status === 'declined' && is_free;

  async function answer(accepts: boolean) {
    markPressed(`offer ${offer.id}`, accepts ? 'yes' : 'no');
    setBusy(accepts);
    try {
      const waits = waitingText(await submitOfferAnswer(userId, offer, accepts));
      showSuccess(waits ? 'Answer Saved' : 'Answer Sent', waits);
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setBusy(undefined);
    }
  }
  return (
    <li
      className={cn(
        'rounded-sm border border-l-4 bg-raised p-4 shadow-panel sm:p-5',
        outcome ? outcome.tone : 'border-accent-fill',
      )}
    >
      <div role="status">
        <h2 className="flex items-center gap-2 font-display text-xl leading-tight">
          {!outcome && <HandHelping aria-hidden="true" className="size-5 shrink-0 text-accent" />}
          {status === 'approved' && (
            <Check aria-hidden="true" className="size-5 shrink-0 text-success" />
          )}
          {outcome?.title ?? 'Can you come?'}
        </h2>
        {outcome?.text && <p className="mt-1">{outcome.text}</p>}
      </div>
      <p className="mt-2 font-semibold tabular-nums">{when}</p>
      <p className="break-words">{site_name}</p>
      <p className="text-sm break-words text-muted">{facts.filter(Boolean).join(' · ')}</p>
      {!outcome && <p className="text-sm break-words text-muted">{offer.address}</p>}
      {!outcome && offer.note && (
        <p className="mt-2 border-l-2 border-accent-fill pl-3 text-sm break-words">{offer.note}</p>
      )}
      {!outcome && (
        <div className="mt-4 grid grid-cols-2 gap-3">
          <Button
            busy={busy === true}
            disabled={busy !== undefined}
            aria-label={`Yes, I can come, ${site_name}`}
            onClick={() => answer(true)}
          >
            Yes
          </Button>
          <Button
            variant="secondary"
            busy={busy === false}
            disabled={busy !== undefined}
            aria-label={`No, I can’t come, ${site_name}`}
            onClick={() => answer(false)}
          >
            No
          </Button>
        </div>
      )}
      {mayStillCome && (
        <OppositeButton
          {...{ spot: `offer ${offer.id}`, action: 'yes', settled: 'Answered' }}
          variant="secondary"
          className="mt-3"
          busy={busy === true}
          onClick={() => answer(true)}
        >
          I can come after all
        </OppositeButton>
      )}
    </li>
  );
}

export function OfferCards({ userId }: { userId: string }) {
  const { data: offers = [] } = useOffersToMe(userId);
  const { waiting } = useOutbox();
  if (offers.length === 0) return null;
  return (
    <ul aria-label="Shifts you are asked to come to" className="mb-4 grid gap-3">
      {offers.map((offer) => (
        <OfferCard
          key={offer.id}
          userId={userId}
          offer={offer}
          queued={waitingAnswer(waiting, offer.id)}
        />
      ))}
    </ul>
  );
}
