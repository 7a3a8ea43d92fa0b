import { useState } from 'react';
import { INVOICES_CURRENCY } from '#shared/database.values.ts';
import { DisputeNotices, OpenDisputeDialog } from '#web/components/disputes/disputes.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { choice, type Filter, searchedChoice } from '#web/components/list/filters.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { useOpenDisputes } from '#web/lib/data/disputes.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { AgeingTable } from './ageing-table.tsx';
import { useStatement } from './api.ts';
import { AccountPanels, AskedRefunds } from './refunds-panel.tsx';
import { RemindersNote } from './reminders-note.tsx';
import { shownDays } from './rules.ts';
import type { StatementSearch } from './search.ts';
import { StatementButtons, StatementTable } from './statement.tsx';
import { WithheldPanel } from './withheld-panel.tsx';

const TITLE = 'Statements of Account';

type ScreenProps = { search: StatementSearch; onChange: ChangeSearch<StatementSearch> };

function Toolbar({ search, onChange }: ScreenProps) {
  const { data: clients = [] } = useClientOptions();
  const days: Filter[] = [
    { kind: 'day', key: 'from', label: 'From', value: shownDays(search).from },
    { kind: 'day', key: 'to', label: 'To', value: shownDays(search).to },
  ];
  const isOne = search.client !== undefined;
  return (
    <ListToolbar
      // The default currency is that of the option without a value.
      search={isOne && search.currency === 'USD' ? { ...search, currency: undefined } : search}
      onChange={onChange}
      filters={[
        searchedChoice(
          'client',
          'Client',
          'All clients',
          clients.map(({ id, name }) => [id, name]),
        ),
        choice(
          'currency',
          'Currency',
          isOne ? 'USD' : 'All currencies',
          INVOICES_CURRENCY.filter((code) => !isOne || code !== 'USD').map((code) => [code, code]),
        ),
        ...(isOne ? days : []),
      ]}
    />
  );
}

function ClientStatement({ client, ...props }: ScreenProps & { client: string }) {
  const { search } = props;
  const { data: disputes = [] } = useOpenDisputes();
  const [isDisputing, setDisputing] = useState(false);
  const query = useStatement({ client, currency: search.currency ?? 'USD', ...shownDays(search) });
  return (
    <>
      <Breadcrumbs
        trail={[{ label: TITLE, to: '/admin/invoices/statements' }]}
        current={query.data?.client.name ?? 'Statement'}
      />
      <ScreenHeading
        title={query.data ? <ClientLink id={client} name={query.data.client.name} /> : 'Statement'}
        subtitle={`Statement of account in ${search.currency ?? 'USD'}, ${formatPeriod(shownDays(search).from, shownDays(search).to)}`}
      >
        {query.data ? (
          <>
            <Button variant="secondary" onClick={() => setDisputing(true)}>
              Note Dispute
            </Button>
            <StatementButtons statement={query.data} />
          </>
        ) : (
          // The place of the buttons, two rows on a phone.
          !isKnown(query) && <div aria-hidden="true" className="h-25 sm:h-11" />
        )}
      </ScreenHeading>
      {isDisputing && <OpenDisputeDialog client={client} onClose={() => setDisputing(false)} />}
      <Toolbar {...props} />
      <Loaded query={query} loadingText="Loading the statement..." missing="No statement">
        {(statement) => (
          <div className="grid grid-cols-1 gap-6">
            <DisputeNotices disputes={disputes.filter(({ client_id }) => client_id === client)} />
            <StatementTable statement={statement} />
            <AccountPanels client={client} currency={search.currency ?? 'USD'} />
            <RemindersNote client={client} currency={search.currency ?? 'USD'} />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** The balances of all clients, or the statement of one. */
export function StatementScreen(props: ScreenProps) {
  const { client, currency } = props.search;
  if (client !== undefined) return <ClientStatement client={client} {...props} />;
  return (
    <>
      <ScreenHeading
        title={TITLE}
        subtitle="What each client owes, by days after it was due. Open a client for its statement."
      />
      <Toolbar {...props} />
      <AgeingTable currency={currency} />
      <AskedRefunds />
      <WithheldPanel currency={currency} />
    </>
  );
}
