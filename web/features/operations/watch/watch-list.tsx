import { Link } from '@tanstack/react-router';
import { ChevronRight, NotebookPen } from 'lucide-react';
import { mayHandOver } from '#shared/screens.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useWatches, WAITING_DAYS, type WatchRow } from './watch-api.ts';

const HandoverLine = ({ watch }: { watch: WatchRow }) => {
  const { id, from_at, signed_at, signer, accepted_at, accepter, remarks } = watch;
  return (
    <li>
      <Link
        to="/admin/operations/handover/$id"
        params={{ id }}
        className="flex min-h-11 items-center gap-3 px-3 py-2 text-sm hover:bg-sunken/60"
      >
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
          <span className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
            <span className="block font-semibold">
              {formatDateTime(from_at)} to {formatDateTime(signed_at)}
            </span>
            <span className="block text-muted">
              Signed by {formatName(signer)}
              {remarks && `: ${remarks}`}
            </span>
          </span>
          <Badge tone={accepted_at ? 'green' : 'orange'}>
            {accepted_at ? `Accepted by ${formatName(accepter)}` : 'Waits to be accepted'}
          </Badge>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </Link>
    </li>
  );
};

export function HandOverLink({ className }: { className?: string }) {
  const { roles } = useAuth();
  if (!mayHandOver(roles)) return null;
  return (
    <Link
      to="/admin/operations/handover"
      className={buttonStyles({ variant: 'secondary', ...(className && { className }) })}
    >
      Hand Over
    </Link>
  );
}

/** @param days how far back, as the log beside it */
export function WatchList({ days }: { days: number }) {
  const { roles } = useAuth();
  const query = useWatches(days);
  // A supervisor of some sites reads none.
  if (query.data?.length === 0 && !mayHandOver(roles)) return null;
  return (
    <section aria-labelledby="handovers" className="mb-6">
      <h3 id="handovers" className="mb-2 font-display text-lg leading-tight">
        Handovers of the watch
      </h3>
      <Loaded
        query={query}
        loadingText="Loading handovers..."
        missing="The handovers could not be loaded"
      >
        {(watches) =>
          watches.length === 0 ? (
            <p className="text-sm text-muted">
              No watch was handed over in the last {days} days. Press Hand Over at the end of yours.
            </p>
          ) : (
            <ul className="divide-y divide-line overflow-hidden rounded-sm border border-line bg-raised">
              {watches.map((watch) => (
                <HandoverLine key={watch.id} watch={watch} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** On the board while nobody has accepted a handover: leads to it, or to the log if there are several. */
export function WaitingWatch() {
  const { data = [] } = useWatches(WAITING_DAYS);
  const [first, ...others] = data.filter(({ accepted_at }) => accepted_at === null);
  if (!first) return null;
  const look =
    'inline-flex min-h-11 items-center gap-2 rounded-sm px-2 text-sm font-semibold text-warning underline underline-offset-4';
  return others.length > 0 ? (
    <Link to="/admin/operations/log" className={look}>
      <NotebookPen aria-hidden="true" className="size-4.5" />
      {others.length + 1} handovers wait to be accepted
    </Link>
  ) : (
    <Link to="/admin/operations/handover/$id" params={{ id: first.id }} className={look}>
      <NotebookPen aria-hidden="true" className="size-4.5" />
      Handover waits to be accepted
    </Link>
  );
}
