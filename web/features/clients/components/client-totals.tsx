// How many clients, guards and dollars a month, of the clients that the search leaves.
import { formatCount } from '#shared/count.ts';
import { formatDollars } from '#shared/money.ts';
import { Card } from '#web/components/ui/card.tsx';
import { useClientTotals } from '../api/client-totals.ts';

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <Card className="px-5 py-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 text-2xl leading-tight font-semibold tabular-nums">{children}</dd>
    </Card>
  );
}

const count = (value: number | undefined) => (value === undefined ? '-' : formatCount(value));

/** @param q what is searched for */
export function ClientTotals({ q }: { q: string }) {
  // When loading fails, the list below says so and offers to try again.
  const { data } = useClientTotals(q);
  return (
    <section aria-label={q ? 'Totals of the clients found' : 'Totals'} className="mb-7">
      <dl className="flex flex-wrap gap-3 [&>*]:flex-1 [&>*]:basis-36">
        <Figure name="Total Clients">{count(data?.client_count)}</Figure>
        <Figure name="Total Guards">{count(data?.total_guards)}</Figure>
        <Figure name="Monthly Revenue">{data ? formatDollars(data.monthly_revenue) : '-'}</Figure>
      </dl>
    </section>
  );
}
