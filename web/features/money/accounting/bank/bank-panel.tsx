import { Settings2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { Filter } from '#web/components/list/filters.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { today } from '#web/lib/format/dates.ts';
import type { AccountingSearch } from '../search.ts';
import { type Feed, useFeeds, useImports, useProposals } from './api.ts';
import { useMatchSure } from './changes.ts';
import { countLines } from './counted.ts';
import { FeedDialog } from './feed-dialog.tsx';
import { ImportButton } from './import-button.tsx';
import { ImportList } from './import-list.tsx';
import { LineList } from './line-list.tsx';
import { Balance } from './reconciliation.tsx';

const nameOf = ({ account }: Feed) =>
  `${account.bank_name}, ${account.account_title}, ${account.currency}`;

function AcceptSure({ account }: { account: string }) {
  const { data = [] } = useProposals(account);
  const { mutate, isPending } = useMatchSure();
  const sure = data.filter((each) => each.sure).length;
  if (sure === 0) return null;
  const accept = () =>
    mutate(account, {
      onSuccess: (count) => showSuccess(`${countLines(count)} matched`),
      onError: (error) => showError('Lines not matched', describeError(error)),
    });
  return (
    <Button busy={isPending} onClick={accept}>
      Accept {sure} Sure
    </Button>
  );
}

type LinesProps = {
  feed: Feed;
  search: AccountingSearch;
  onChange: ChangeSearch<AccountingSearch>;
};

/** On the last day of the last statement, or on another day. */
function BalanceSection({ feed, search, onChange }: LinesProps) {
  const { data: imports } = useImports(feed.bank_account_id);
  const day = search.to ?? imports?.[0]?.last_day ?? today();
  return (
    <>
      <ListToolbar
        search={search}
        onChange={onChange}
        filters={[{ kind: 'day', key: 'to', label: 'On', value: day }]}
      />
      <Balance account={feed.bank_account_id} day={day} />
    </>
  );
}

function LinesSection({ feed, search, onChange }: LinesProps) {
  const id = useId();
  const isMatched = search.lines === 'matched';
  const filters: Filter[] = [
    { key: 'lines', label: 'Lines', all: 'Open lines', options: [['matched', 'Matched lines']] },
  ];
  return (
    <section aria-labelledby={id} className="mt-8">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h3 id={id} className="font-display text-2xl">
          {isMatched ? 'Matched Lines' : 'Open Lines'}
        </h3>
        {!isMatched && <AcceptSure account={feed.bank_account_id} />}
      </div>
      <ListToolbar search={search} onChange={onChange} filters={filters} />
      <LineList
        feed={feed}
        isMatched={isMatched}
        page={search.page ?? 1}
        onPage={(page) => onChange({ page: page === 1 ? undefined : page })}
      />
    </section>
  );
}

type BankPanelProps = Omit<LinesProps, 'feed'>;

/** Statements of bank accounts: their lines, what these are in the books, and whether the balances agree. */
export function BankPanel({ search, onChange }: BankPanelProps) {
  const id = useId();
  const [dialog, setDialog] = useState<'add' | 'change'>();
  const choose = (account: string) => onChange({ account, page: undefined });
  return (
    <Loaded query={useFeeds()} loadingText="Loading the accounts...">
      {(feeds) => {
        const feed = feeds.find((each) => each.bank_account_id === search.account) ?? feeds[0];
        return (
          <>
            <div className="mb-5 flex flex-wrap items-end justify-between gap-3">
              {feed ? (
                <div className="min-w-0 flex-1 basis-64 sm:max-w-md">
                  <label htmlFor={id} className="mb-1 block text-sm text-muted">
                    Bank Account
                  </label>
                  <Select
                    id={id}
                    value={feed.bank_account_id}
                    onChange={({ target }) => choose(target.value)}
                  >
                    {feeds.map((each) => (
                      <option key={each.id} value={each.bank_account_id}>
                        {nameOf(each)}
                      </option>
                    ))}
                  </Select>
                </div>
              ) : (
                <p className="text-pretty text-muted">
                  Compare the statements of banks and mobile money with the books.
                </p>
              )}
              <div className="flex flex-wrap gap-3">
                <Button variant={feed ? 'secondary' : 'primary'} onClick={() => setDialog('add')}>
                  Add Account
                </Button>
                {feed && (
                  <>
                    <Button variant="secondary" onClick={() => setDialog('change')}>
                      <Settings2 aria-hidden="true" className="size-4.5" />
                      Settings
                    </Button>
                    <ImportButton key={feed.id} feed={feed} />
                  </>
                )}
              </div>
            </div>
            {feed ? (
              <>
                <BalanceSection {...{ feed, search, onChange }} />
                <LinesSection {...{ feed, search, onChange }} />
                <ImportList feed={feed} />
              </>
            ) : (
              <EmptyNote>
                No account yet. Add a bank account, then import its first statement.
              </EmptyNote>
            )}
            {dialog && (
              <FeedDialog
                feed={dialog === 'change' ? (feed ?? null) : null}
                feeds={feeds}
                onSaved={choose}
                onClose={() => setDialog(undefined)}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
