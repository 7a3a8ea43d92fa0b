import { Link } from '@tanstack/react-router';
import { formatMoney, sumCents } from '#shared/money.ts';
import { Figures } from '#web/components/ui/figures.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { MORE_LINK } from '#web/components/ui/section-row.tsx';
import { formatMonths } from '#web/lib/format/dates.ts';
import { useMargin } from './api.ts';
import { formatShare, shownMonths } from './rules.ts';

type MarginProps = {
  client: string;
  /** One of the client's sites; all of them without it. */
  site?: string;
};

/** What was billed, what it cost and what is left, of the last six whole months. */
export function MarginSection({ client, site }: MarginProps) {
  const months = shownMonths({});
  const by = site === undefined ? 'client' : 'site';
  const query = useMargin({ ...months, currency: 'USD', client }, by, 1);
  return (
    <LoadedCard
      title="Margin"
      query={query}
      loadingText="Loading the margin..."
      more={
        <Link to="/admin/invoices/margin" search={{ client }} className={MORE_LINK}>
          Margin by site
        </Link>
      }
    >
      {({ currencies }) => {
        const [usd] = currencies;
        const sum = usd?.rows.find((row) => site === undefined || row.site_id === site);
        if (!usd || !sum) {
          return (
            <p className="px-4 py-8 text-center text-muted">
              Nothing was billed or paid in the last six months.
            </p>
          );
        }
        const money = (amount: string) => formatMoney(amount, usd.currency);
        return (
          <div className="grid gap-3 px-4 py-4 sm:px-5">
            <Figures
              figures={[
                ['Margin', money(sum.margin)],
                ['Billed', money(sum.billed)],
                [
                  'Costs',
                  formatMoney(sumCents([sum.wages, sum.employer, sum.direct]), usd.currency),
                ],
              ]}
            />
            <p className="text-sm text-muted">
              {[formatMonths(months.from, months.to), formatShare(sum)].filter(Boolean).join(', ')}
            </p>
          </div>
        );
      }}
    </LoadedCard>
  );
}
