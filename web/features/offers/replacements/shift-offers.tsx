import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { type ShiftOffer, type Situation, useRenewOffers, useWithdrawOffers } from './api.ts';
import { offerState } from './offer-state.ts';

/** Who was asked to come and what they said; who has not answered need not come any more. */
export function ShiftOffers({ situation }: { situation: Situation }) {
  const { offers, timezone } = situation;
  const withdraw = useWithdrawOffers();
  const renew = useRenewOffers();
  if (offers.length === 0) return null;
  const asked = offers.filter(({ status }) => status === 'asked');

  // Who was asked again is listed once.
  const shown = offers.filter(
    ({ status, user_id, created_at }) =>
      status !== 'withdrawn' ||
      !offers.some((later) => later.user_id === user_id && later.created_at > created_at),
  );

  async function askAgain(ids: string[]) {
    try {
      await renew.mutateAsync(ids);
      showSuccess('Shift Offered Again');
    } catch (error) {
      showError('The shift was not offered again', describeError(error));
    }
  }
  async function take(chosen: readonly ShiftOffer[]) {
    const ids = chosen.map(({ id }) => id);
    try {
      await withdraw.mutateAsync(ids);
      showSuccess(chosen.length === 1 ? 'Offer Withdrawn' : 'Offers Withdrawn', undefined, {
        label: 'Undo',
        onPress: () => void askAgain(ids),
      });
    } catch (error) {
      showError('Nothing was withdrawn', describeError(error));
    }
  }
  return (
    <section aria-label="Offers">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-3">
        <h3 className="font-semibold">Offers</h3>
        {asked.length > 1 && (
          <Button variant="ghost" busy={withdraw.isPending} onClick={() => void take(asked)}>
            Withdraw all {asked.length}
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line border-y border-line" aria-live="polite">
        {shown.map((offer) => {
          const { label, tone } = offerState(offer);
          return (
            <li key={offer.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <p className="min-w-32 flex-1">
                <span className="font-medium">{offer.name}</span>
                <span className="block text-sm text-muted tabular-nums">
                  Asked at {formatTime(offer.created_at, timezone)}
                </span>
              </p>
              <Badge tone={tone}>{label}</Badge>
              {offer.status === 'asked' && (
                <Button
                  variant="ghost"
                  disabled={withdraw.isPending}
                  aria-label={`Withdraw the offer to ${offer.name}`}
                  onClick={() => void take([offer])}
                >
                  Withdraw
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
