// What the client reads of a day: whether it is released, how it differs, and the ways to release and withdraw it.
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { changeWords, type PageDraft } from '#web/lib/reports/post-page.ts';
import { type PageOf, usePageDraft, useWithdraw } from './page-api.ts';

const PagePreview = lazy(async () => ({
  default: (await import('./page-preview.tsx')).PagePreview,
}));
const WithdrawDialog = lazy(async () => ({
  default: (await import('./strike-dialog.tsx')).WithdrawDialog,
}));

type Released = NonNullable<PageDraft['released']>;

function ReleaseState({ released, zone }: { released: Released | null; zone: string }) {
  if (released === null) return <Badge tone="grey">Not released</Badge>;
  const { version, at, by, withdrawn_at, withdrawn_by, withdraw_reason: reason } = released;
  const isCorrected = version > 1;
  return (
    <>
      {withdrawn_at ? <Badge tone="red">Withdrawn</Badge> : <Badge tone="green">Released</Badge>}
      <p className="text-sm break-words text-muted">
        {isCorrected && `Version ${version}, `}
        {formatDateTime(at, zone)}, {by ? `by ${by}` : 'at the hour of the site'}
      </p>
      {withdrawn_at && (
        <p className="text-sm break-words text-muted">
          Withdrawn {formatDateTime(withdrawn_at, zone)}
          {withdrawn_by && ` by ${withdrawn_by}`}: {reason}
        </p>
      )}
    </>
  );
}

function Changes({ released, zone }: { released: Released | null; zone: string }) {
  if (!released || released.changes.length === 0) return null;
  return (
    <div>
      <h3 className="text-sm font-semibold">Changed since then</h3>
      <ul aria-label="Changed since the release" className="mt-1 grid gap-0.5 text-sm">
        {released.changes.map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines of a minute may read alike.
          <li key={at}>{changeWords(change, zone)}</li>
        ))}
      </ul>
    </div>
  );
}

function whyNot({ has_client: hasClient, is_over: isOver }: PageDraft): string | undefined {
  if (!hasClient) return 'Link the site to a client on record to release its book.';
  return isOver ? undefined : 'A day is released once it is over.';
}

export function ClientPage({ page, zone }: { page: PageOf; zone: string }) {
  const query = usePageDraft(page);
  const withdraw = useWithdraw();
  const [open, setOpen] = useState<'preview' | 'withdraw'>();
  const close = () => setOpen(undefined);
  return (
    <LoadedCard title="For the client" query={query} loadingText="Loading the client’s page...">
      {(draft) => {
        const { released, lines, may_release: mayRelease } = draft;
        const shown = lines.filter(({ withheld }) => withheld === null).length;
        const reason = whyNot(draft);
        return (
          <div className="grid justify-items-start gap-3 px-4 py-4 sm:px-5">
            <ReleaseState released={released} zone={zone} />
            <p className="text-sm">
              {shown} of {lines.length} {lines.length === 1 ? 'line' : 'lines'} for the client
            </p>
            <Changes released={released} zone={zone} />
            {reason && <p className="text-sm text-muted">{reason}</p>}
            <div className="flex flex-wrap gap-3 print:hidden">
              <Button variant="secondary" onClick={() => setOpen('preview')}>
                {mayRelease && !reason ? 'Preview and Release…' : 'Preview…'}
              </Button>
              {mayRelease && released && !released.withdrawn_at && (
                <Button variant="secondary" onClick={() => setOpen('withdraw')}>
                  Withdraw…
                </Button>
              )}
            </div>
            {open === 'preview' && (
              <LazyPart fallback={<Opening title="Preview" />} onClose={close}>
                <PagePreview page={page} zone={zone} onClose={close} />
              </LazyPart>
            )}
            {open === 'withdraw' && released && (
              <LazyPart fallback={<Opening title="Withdraw Page" />} onClose={close}>
                <WithdrawDialog
                  withdraw={(words) => withdraw.mutateAsync({ id: released.id, reason: words })}
                  onClose={close}
                />
              </LazyPart>
            )}
          </div>
        );
      }}
    </LoadedCard>
  );
}
