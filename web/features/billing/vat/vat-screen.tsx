import { Link } from '@tanstack/react-router';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useRegistrations } from '#web/lib/data/vat-registrations.ts';
import { useDifferences } from './api.ts';
import { ClientsPanel } from './clients-panel.tsx';
import { RegistrationPanel } from './registration-panel.tsx';
import { ReturnsPanel } from './returns-panel.tsx';
import { VAT_TABS, type VatSearch } from './search.ts';

const TAB_LABELS = { returns: 'Returns', clients: 'Clients', registration: 'Registration' };

/** Of the differences: enough to begin with. */
const MOST_SHOWN = 8;

/** Issued invoices whose VAT is not what is agreed for their days now. */
function Differences() {
  const { data = [] } = useDifferences();
  if (data.length === 0) return null;
  return (
    <Alert title="Invoiced with other VAT than their days have now" className="mb-5">
      Credit these invoices and bill them again:{' '}
      {data.slice(0, MOST_SHOWN).map(({ invoice_id, number, client_name }, index) => (
        <span key={invoice_id}>
          {index > 0 && ', '}
          <Link to="/admin/invoices/$id" params={{ id: invoice_id }} className={PAGE_LINK}>
            {number}
          </Link>{' '}
          {client_name}
        </span>
      ))}
      {data.length > MOST_SHOWN && ` and ${data.length - MOST_SHOWN} more`}.
    </Alert>
  );
}

type VatScreenProps = { search: VatSearch; onChange: ChangeSearch<VatSearch> };

/** VAT: the monthly returns, who is exempt, and whether the company is registered. */
export function VatScreen({ search, onChange }: VatScreenProps) {
  const { data: registrations } = useRegistrations();
  const tab = search.tab ?? (registrations?.length === 0 ? 'registration' : 'returns');
  return (
    <>
      <ScreenHeading
        title="VAT"
        subtitle="What the company owes on its sales, less what it paid on its purchases."
      />
      <Differences />
      <Tabs
        value={tab}
        onValueChange={(value) =>
          onChange({
            tab: VAT_TABS.find((each) => each === value),
            month: undefined,
            q: undefined,
          })
        }
      >
        <TabsList>
          {VAT_TABS.map((each) => (
            <TabsTrigger key={each} value={each}>
              {TAB_LABELS[each]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="returns" className="pt-5">
          <ReturnsPanel search={search} onChange={onChange} />
        </TabsContent>
        <TabsContent value="clients" className="pt-5">
          <ClientsPanel search={search} onChange={onChange} />
        </TabsContent>
        <TabsContent value="registration" className="pt-5">
          <RegistrationPanel />
        </TabsContent>
      </Tabs>
    </>
  );
}
