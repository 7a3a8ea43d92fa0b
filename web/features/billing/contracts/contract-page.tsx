import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { CONTRACTS_CURRENCY } from '#shared/database.values.ts';
import { mayBill, maySee } from '#shared/screens.ts';
import { DeleteDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { contracts, useContract, useQuoteOf } from './api.ts';
import { ClientFiguresDialog } from './client-figures-dialog.tsx';
import { ContractFields } from './contract-form.tsx';
import { CorrectionsPanel } from './corrections-panel.tsx';
import { CoveragePanel } from './coverage-panel.tsx';
import { PostsPanel } from './posts-panel.tsx';
import { RatesPanel } from './rates-panel.tsx';
import { BILLING_CYCLE_LABELS, type Contract } from './schema.ts';
import { CONTRACT_TABS, type ContractPageSearch } from './search.ts';

function subtitleOf(contract: Contract): string {
  const until = contract.ends_on ? `to ${formatDay(contract.ends_on)}` : 'until further notice';
  const guards =
    contract.agreed_headcount === null
      ? ''
      : ` ${contract.agreed_headcount} ${contract.agreed_headcount === 1 ? 'guard' : 'guards'} agreed.`;
  const cycle = BILLING_CYCLE_LABELS[contract.billing_cycle];
  const due =
    contract.billing_cycle === 'on-demand'
      ? ''
      : `, due on day ${contract.billing_day} of the next month`;
  return `${contract.title}, ${formatDay(contract.starts_on)} ${until}. ${cycle} in ${contract.currency}${due}, ${contract.payment_terms_days} days to pay.${guards}`;
}

function DeleteContract({ contract, onClose }: { contract: Contract; onClose: () => void }) {
  const remove = contracts.useDelete();
  const navigate = useNavigate();
  return (
    <DeleteDialog
      title="Delete Contract"
      question="Are you sure you want to delete this contract?"
      consequence="Its posts and rates are deleted too. A contract with invoices stays: give it an end date instead."
      remove={async () => {
        const removed = await remove.mutateAsync(contract.id);
        await navigate({ to: '/admin/contracts' });
        return removed;
      }}
      deleted="Contract deleted successfully"
      onClose={onClose}
    />
  );
}

/** Where a contract that was made of a quote comes from, and until it begins what is left to do. */
function FromQuote({ contract }: { contract: Contract }) {
  const { roles } = useAuth();
  const { data: quote } = useQuoteOf(contract.id);
  if (!quote) return null;
  return (
    <p className="mb-5 text-muted">
      Made from quote{' '}
      {maySee(roles, 'enquiries') ? (
        <Link to="/admin/enquiries/quotes/$id" params={{ id: quote.id }} className={PAGE_LINK}>
          {quote.number}
        </Link>
      ) : (
        quote.number
      )}
      .
      {contract.starts_on >= today() &&
        ' Nothing is planned or billed until its posts have hours, under Sites, Posts.'}
    </p>
  );
}

type ContractPageProps = {
  id: string;
  search: ContractPageSearch;
  onChange: ChangeSearch<ContractPageSearch>;
};

/** A contract: its posts, their prices, and how well they were covered. */
export function ContractPage({ id, search, onChange }: ContractPageProps) {
  const { roles } = useAuth();
  // Operations managers see what was promised, and no prices.
  const isBiller = mayBill(roles);
  const [isDeleting, setDeleting] = useState(false);
  const [isUpdating, setUpdating] = useState(false);
  const { tab = 'posts' } = search;
  return (
    <Loaded
      query={useContract(id, isBiller)}
      loadingText="Loading the contract..."
      missing="No such contract"
    >
      {({ contract, posts, rates }) => (
        <>
          <Breadcrumbs
            trail={[{ label: 'Contracts', to: '/admin/contracts' }]}
            current={contract.clients.name}
          />
          <ScreenHeading
            title={<ClientLink id={contract.client_id} name={contract.clients.name} />}
            subtitle={subtitleOf(contract)}
          >
            {isBiller && (
              <>
                <Link
                  to="/admin/invoices/statements"
                  search={{
                    client: contract.client_id,
                    currency: CONTRACTS_CURRENCY.find((each) => each === contract.currency),
                  }}
                  className={buttonStyles({ variant: 'secondary' })}
                >
                  Statement
                </Link>
                {maySee(roles, 'clients') && (
                  <Button variant="secondary" onClick={() => setUpdating(true)}>
                    Update Client
                  </Button>
                )}
                <IconButton
                  variant="danger-ghost"
                  title="Delete"
                  label="Delete Contract"
                  Icon={Trash2}
                  onClick={() => setDeleting(true)}
                />
                <Button variant="secondary" onClick={() => onChange({ open: id })}>
                  <Pencil aria-hidden="true" className="size-4" /> Edit
                </Button>
              </>
            )}
          </ScreenHeading>
          <FromQuote contract={contract} />
          <Tabs
            value={tab}
            onValueChange={(value) =>
              onChange({ tab: CONTRACT_TABS.find((each) => each === value) })
            }
          >
            <TabsList>
              <TabsTrigger value="posts">{isBiller ? 'Posts and Rates' : 'Posts'}</TabsTrigger>
              <TabsTrigger value="coverage">Coverage</TabsTrigger>
            </TabsList>
            <TabsContent value="posts" className="grid gap-6 pt-5">
              <PostsPanel contract={contract} posts={posts} mayChange={isBiller} />
              {isBiller && <RatesPanel contract={contract} posts={posts} rates={rates} />}
              {isBiller && <CorrectionsPanel contractId={id} />}
            </TabsContent>
            <TabsContent value="coverage" className="pt-5">
              <CoveragePanel
                contract={contract}
                day={search.day}
                onDay={(day) => onChange({ day })}
              />
            </TabsContent>
          </Tabs>
          {isBiller && search.open === id && (
            <RecordDialog
              records={contracts}
              open={id}
              listed={[contract]}
              onClose={() => onChange({ open: undefined })}
            >
              {(form) => <ContractFields {...form} />}
            </RecordDialog>
          )}
          {isUpdating && (
            <ClientFiguresDialog
              {...{ contract, posts, rates }}
              onClose={() => setUpdating(false)}
            />
          )}
          {isDeleting && <DeleteContract contract={contract} onClose={() => setDeleting(false)} />}
        </>
      )}
    </Loaded>
  );
}
