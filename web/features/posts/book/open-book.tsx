// Who is inside, and which keys are out, at a site.
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { visitorName } from '#web/lib/vocabulary/book.ts';
import { type OpenBook, useOpenBook, useSignOut, useTakeBack } from './book-api.ts';
import { isOverdue, overdueFirst } from './overdue-keys.ts';

const ROW = 'flex min-h-14 items-center gap-3 px-4 py-2 sm:px-5';

type Change = ReturnType<typeof useSignOut>;

function ChangeButton(props: { id: string; label: string; name: string; change: Change }) {
  const { id, label, name, change } = props;
  const { mutateAsync, isPending, variables } = change;
  return (
    <Button
      variant="secondary"
      className="print:hidden"
      busy={isPending && variables === id}
      aria-label={`${label}: ${name}`}
      onClick={() =>
        void mutateAsync(id)
          .then(() => showSuccess(label === 'Out' ? 'Signed out' : 'Key is back'))
          .catch((error: unknown) => showError('Error', describeError(error)))
      }
    >
      {label}
    </Button>
  );
}

function InsideRows({ visits, zone }: Pick<OpenBook, 'visits'> & { zone: string }) {
  const signOut = useSignOut();
  return (
    <ul aria-label="Inside now" className="divide-y divide-line">
      {visits.map((visit) => (
        <li key={visit.id} className={ROW}>
          <div className="min-w-0 flex-1">
            <p className="font-semibold break-words">{visitorName(visit)}</p>
            <p className="text-sm break-words text-muted">
              {[
                `Since ${formatDateTime(visit.in_at, zone)}`,
                visit.host && `to see ${visit.host}`,
                visit.badge && `badge ${visit.badge}`,
              ]
                .filter(Boolean)
                .join(', ')}
            </p>
          </div>
          <ChangeButton id={visit.id} label="Out" name={visitorName(visit)} change={signOut} />
        </li>
      ))}
    </ul>
  );
}

function KeyRows({ keys, zone }: Pick<OpenBook, 'keys'> & { zone: string }) {
  const takeBack = useTakeBack();
  const now = useServerNow() ?? serverNow();
  return (
    <ul aria-label="Keys out" className="divide-y divide-line">
      {overdueFirst(keys, now).map(({ id, key_name, taken_by, due_at, out_at }) => (
        <li key={id} className={ROW}>
          <div className="min-w-0 flex-1">
            <p className="font-semibold break-words">{key_name}</p>
            <p className="text-sm break-words text-muted">
              {taken_by}, since {formatDateTime(out_at, zone)}
              {due_at && `, back by ${formatDateTime(due_at, zone)}`}
            </p>
          </div>
          {isOverdue({ due_at }, now) && <Badge tone="red">Overdue</Badge>}
          <ChangeButton id={id} label="Back" name={key_name} change={takeBack} />
        </li>
      ))}
    </ul>
  );
}

const NOBODY = <p className="px-4 py-4 text-center text-muted lg:py-7">Nobody is inside.</p>;
const NO_KEY = <p className="px-4 py-4 text-center text-muted lg:py-7">No key is out.</p>;

export function OpenParts({ siteId, zone }: { siteId: string; zone: string }) {
  const query = useOpenBook(siteId);
  const { visits = [], keys = [] } = query.data ?? {};
  return (
    <div className="grid gap-5 max-lg:order-first">
      <LoadedCard
        title={visits.length > 0 ? `Inside now: ${visits.length}` : 'Inside now'}
        query={query}
        loadingText="Loading visitors..."
      >
        {() => (visits.length === 0 ? NOBODY : <InsideRows {...{ visits, zone }} />)}
      </LoadedCard>
      <LoadedCard
        title={keys.length > 0 ? `Keys out: ${keys.length}` : 'Keys out'}
        query={query}
        loadingText="Loading keys..."
      >
        {() => (keys.length === 0 ? NO_KEY : <KeyRows {...{ keys, zone }} />)}
      </LoadedCard>
    </div>
  );
}
