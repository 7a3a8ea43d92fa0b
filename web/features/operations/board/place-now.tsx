// What happens now at one site, or at all sites of a client: the rows, states and words of the operations board.
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { formatCount } from '#shared/count.ts';
import { Card } from '#web/components/ui/card.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { RetryButton } from '#web/components/ui/retry-button.tsx';
import { ITEM_LINK, MORE_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { detailOf } from './board-row.tsx';
import { type Bar, type BoardRow, countRows, shiftOfRow } from './board-rows.ts';
import { SEAT_STATES } from './operations-search.ts';
import { gravity } from './seat-states.ts';
import { GuardLine } from './shift-detail.tsx';
import { MARKS, StateMark } from './state-marks.tsx';
import type { PlaceBoard } from './use-live-board.ts';

const isExpected = ({ seats }: Bar) => seats.some(({ state }) => state !== 'done');
const isWrong = ({ state }: BoardRow) => gravity(state) < gravity('due');

/** How many seats are in each state that occurs. */
function StateLine({ rows }: { rows: readonly BoardRow[] }) {
  const counts = countRows(rows);
  const shown = SEAT_STATES.filter((state) => counts[state] > 0);
  if (shown.length === 0) return null;
  return (
    <ul
      aria-label="Seats by state"
      className="flex flex-wrap gap-x-6 gap-y-2 border-b border-line px-4 py-3 sm:px-5"
    >
      {shown.map((state) => {
        const { Icon, label, text } = MARKS[state];
        return (
          <li key={state} className={`flex items-center gap-2 ${text}`}>
            <Icon aria-hidden="true" className="size-5" />
            <span className="font-display text-2xl leading-none tabular-nums">
              {formatCount(counts[state])}
            </span>
            <span className="text-sm">{label}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** A running shift, or one that starts within two hours, with its guards. */
function ShiftNow({ row, bar, now }: { row: BoardRow; bar: Bar; now: number }) {
  const { shift, seats } = bar;
  const times = formatTimeRange(shift.starts, shift.ends, row.site.timezone);
  const name = row.post || 'Without a post';
  const empty = seats.filter(({ state }) => state === 'empty').length;
  return (
    <li className="px-4 py-3 sm:px-5">
      <h3 className="flex flex-wrap items-baseline gap-x-3">
        <Link to="/admin/operations" search={{ open: shift.id }} className={PAGE_LINK}>
          <span className="font-semibold">{name}</span>
        </Link>
        <span className="text-sm text-muted tabular-nums">{times}</span>
      </h3>
      <ul aria-label={`${name}, ${times}`} className="divide-y divide-line">
        {seats.map(
          ({ guard }) =>
            guard && (
              <GuardLine
                isNarrow
                key={guard.assignment_id}
                {...{ guard, shift, now }}
                site={row.site}
              />
            ),
        )}
        {empty > 0 && (
          <li className="flex flex-wrap items-center gap-x-3 py-3">
            <StateMark state="empty" />
            <span className="text-sm text-muted tabular-nums">
              {empty} of {shift.needed}
            </span>
          </li>
        )}
      </ul>
    </li>
  );
}

const Quiet = ({ children }: { children: string }) => (
  <p className="flex items-center gap-2 px-4 py-5 text-muted sm:px-5">
    <CircleCheck aria-hidden="true" className="size-4.5 text-success" />
    {children}
  </p>
);

type NowCardProps = {
  board: PlaceBoard;
  title: string;
  /** Sites that Operations then shows. */
  sites: readonly string[];
  /** Open alerts, below the posts. */
  alerts: ReactNode;
  children: (rows: readonly BoardRow[], now: number) => ReactNode;
};

function NowCard({ board, title, sites, alerts, children }: NowCardProps) {
  const { rows, now, error, reload } = board;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-3.5 sm:px-5">
          <h2 id={id} className="font-display text-xl leading-tight">
            {title}{' '}
            <span className="text-base text-muted tabular-nums">
              {formatTime(new Date(now).toISOString())}
            </span>
          </h2>
          <Link
            to="/admin/operations"
            search={{ sites: sites.join(',') || undefined }}
            className={MORE_LINK}
          >
            Operations
          </Link>
        </div>
        {rows === undefined && !error && <Loading text="Loading the posts..." className="py-10" />}
        {Boolean(error) && (
          <div className="grid justify-items-start gap-3 px-4 py-5 sm:px-5">
            <p className="text-muted">{describeError(error)}</p>
            <RetryButton onRetry={reload} />
          </div>
        )}
        <div className="lg:grid lg:grid-cols-[3fr_2fr]">
          {rows && (
            <div className="min-w-0">
              <StateLine rows={rows} />
              {children(rows, now)}
            </div>
          )}
          <div className="min-w-0 border-line px-4 py-3 max-lg:border-t sm:px-5 lg:col-start-2 lg:border-l">
            {alerts}
          </div>
        </div>
      </Card>
    </section>
  );
}

type PlaceNowProps = Pick<NowCardProps, 'board' | 'alerts' | 'sites'>;

/** Every post of a site that is or soon will be manned, with who is there and who is not. */
export function SiteNow(props: PlaceNowProps) {
  return (
    <NowCard {...props} title="Now">
      {(rows, now) => {
        const shown = rows.flatMap((row) =>
          row.bars.filter(isExpected).map((bar) => ({ row, bar })),
        );
        const supervisors = rows[0]?.site.supervisors ?? [];
        return (
          <>
            {shown.length === 0 && (
              <Quiet>No shift is running, and none starts within two hours.</Quiet>
            )}
            <ul aria-label="Posts now" className="divide-y divide-line">
              {shown.map(({ row, bar }) => (
                <ShiftNow key={bar.shift.id} {...{ row, bar, now }} />
              ))}
            </ul>
            {supervisors.length > 0 && (
              <p className="border-t border-line px-4 py-3 text-sm text-muted sm:px-5">
                Supervised by <span className="text-ink">{supervisors.join(', ')}</span>
              </p>
            )}
          </>
        );
      }}
    </NowCard>
  );
}

/** Posts of a client that need a guard, or whose guard is late or has not confirmed. */
export function ClientNow({ children, ...props }: PlaceNowProps & { children: ReactNode }) {
  return (
    <NowCard {...props} title="What is wrong now">
      {(rows, now) => {
        const wrong = rows.filter(isWrong);
        return (
          <>
            {wrong.length === 0 && <Quiet>Every post is covered.</Quiet>}
            <ul aria-label="Posts with a problem" className="divide-y divide-line">
              {wrong.map((row) => (
                <li key={row.key}>
                  <Link
                    to="/admin/operations"
                    search={{ open: shiftOfRow(row, now) }}
                    className={ITEM_LINK}
                  >
                    <SectionRow
                      title={[row.site.name, row.post].filter(Boolean).join(', ')}
                      detail={detailOf(row, now)}
                      badge={<StateMark state={row.state} className="text-sm" />}
                    />
                  </Link>
                </li>
              ))}
            </ul>
            {children}
          </>
        );
      }}
    </NowCard>
  );
}

/** The seats of one site now, in words: for example "1 missing, 4 on post". */
export function SiteStaffing({ board, site }: { board: PlaceBoard; site: string }) {
  const rows = board.rows?.filter((row) => row.site.id === site) ?? [];
  const counts = countRows(rows);
  const states = SEAT_STATES.filter((state) => counts[state] > 0);
  const [worst] = states;
  if (!worst) return null;
  const { Icon, text } = MARKS[worst];
  return (
    <span className={`flex items-center gap-1.5 text-sm font-semibold ${text}`}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {states.map((state) => `${counts[state]} ${MARKS[state].label.toLowerCase()}`).join(', ')}
    </span>
  );
}
