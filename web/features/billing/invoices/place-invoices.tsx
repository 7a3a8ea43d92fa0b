import { Link } from '@tanstack/react-router';
import { INVOICES_CURRENCY } from '#shared/database.values.ts';
import { formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { LoadedCard, LoadedList } from '#web/components/ui/loaded-card.tsx';
import { ITEM, ITEM_LINK, MORE_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import { type Ageing, useAgeing } from '#web/lib/data/ageing.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import type { Place } from '#web/lib/data/place.ts';
import { formatDay, formatPeriod } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Invoice, shownStatus } from './schema.ts';

const SHOWN = 5;

type Listed = Invoice & { invoice_lines?: { amount: number }[] };

async function fetchInvoices({ kind, id }: Place): Promise<Listed[]> {
  const query =
    kind === 'client'
      ? supabase().from('invoices').select('*, clients!inner(name)').eq('client_id', id)
      : supabase()
          .from('invoices')
          .select('*, clients!inner(name), invoice_lines!inner(amount)')
          .eq('invoice_lines.site_id', id);
  const { data } = await query
    .order('period_start', { ascending: false })
    .order('id')
    .limit(SHOWN)
    .returns<Listed[]>()
    .throwOnError();
  return data;
}

const useInvoicesAt = (place: Place) =>
  useLiveQuery('invoices', invoicesKey, {
    queryKey: [...invoicesKey, 'at', place],
    queryFn: () => fetchInvoices(place),
  });

/** For example "Oct 1 to Oct 31, 2026: US$3,400.00, due Nov 15, 2026". Of a site, what its lines come to. */
function describeInvoice({ period_start, period_end, total, currency, due_on, ...row }: Listed) {
  const lines = row.invoice_lines?.map(({ amount }) => amount);
  const amount = lines
    ? `${formatMoney(sumCents(lines), currency)} for this site`
    : formatMoney(total, currency);
  const due = due_on === null ? '' : `, due ${formatDay(due_on)}`;
  return `${formatPeriod(period_start, period_end)}: ${amount}${due}`;
}

type InvoicesProps = {
  place: Place;
  /** Name of the client, which finds its invoices on their list. */
  client: string;
};

export function InvoicesSection({ place, client }: InvoicesProps) {
  return (
    <LoadedList
      title="Invoices"
      query={useInvoicesAt(place)}
      loadingText="Loading invoices..."
      emptyText="No invoice yet."
      more={
        <Link to="/admin/invoices" search={{ q: client }} className={MORE_LINK}>
          All invoices
        </Link>
      }
    >
      {(invoice) => (
        <li key={invoice.id}>
          <Link to="/admin/invoices/$id" params={{ id: invoice.id }} className={ITEM_LINK}>
            <SectionRow
              title={invoice.number ?? 'Draft'}
              detail={<span className="tabular-nums">{describeInvoice(invoice)}</span>}
              badge={<StatusBadge status={shownStatus(invoice)} />}
            />
          </Link>
        </li>
      )}
    </LoadedList>
  );
}

const overdueOf = ({ days_30, days_60, days_90, over_90 }: Ageing) =>
  sumCents([days_30, days_60, days_90, over_90]);

/** What a client owes in each currency, and how much of it is overdue. */
export function OwedSection({ clientId }: { clientId: string }) {
  return (
    <LoadedCard
      title="What Is Owed"
      query={useAgeing(clientId)}
      loadingText="Loading what is owed..."
      emptyText="Nothing is owed."
      more={
        <Link to="/admin/invoices/statements" search={{ client: clientId }} className={MORE_LINK}>
          Statement
        </Link>
      }
    >
      {(rows) => (
        <div className="divide-y divide-line">
          {rows.map((row) => {
            const { currency, total, not_due, on_account } = row;
            return (
              <div key={currency} className={ITEM}>
                <div className="flex-1">
                  <Figures
                    figures={[
                      [`Open, ${currency}`, formatMoney(total, currency)],
                      ['Overdue', formatMoney(overdueOf(row), currency)],
                      ['Not due', formatMoney(not_due, currency)],
                      ...(parseCents(on_account) === 0n
                        ? []
                        : [['On account', formatMoney(on_account, currency)] as const]),
                    ]}
                  />
                </div>
              </div>
            );
          })}
        </div>
      )}
    </LoadedCard>
  );
}

/** A line of what is wrong now: the overdue amounts. Nothing without any. */
export function OverdueLine({ clientId }: { clientId: string }) {
  // The section of what is owed shows when it can't be loaded.
  const { data = [] } = useAgeing(clientId);
  const overdue = data.flatMap((row) => {
    const cents = overdueOf(row);
    return cents > 0n ? [formatMoney(cents, row.currency)] : [];
  });
  const currency = INVOICES_CURRENCY.find((each) => each === data[0]?.currency);
  if (overdue.length === 0) return null;
  return (
    <Link
      to="/admin/invoices/statements"
      search={{ client: clientId, currency }}
      className={`${ITEM_LINK} border-t border-line`}
    >
      <SectionRow
        title={<span className="tabular-nums">{overdue.join(' and ')} overdue</span>}
        badge={<StatusBadge status="overdue" />}
      />
    </Link>
  );
}
