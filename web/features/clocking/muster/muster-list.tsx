import { useQuery } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { markPressed } from '#web/components/ui/opposite-button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { locate, type Position } from '#web/lib/position/locate.ts';
import { usePosition } from '#web/lib/position/use-position.ts';
import { type Mark, muster, musterQuery, type MusterRow as Row, waitingMarks } from './api.ts';
import { MusterRow, musterSpot } from './muster-row.tsx';

/** From so many sites on there is a search. */
const MANY = 4;

type Rows = readonly [Row, ...Row[]];

const isToMark = (row: Row) => row.attendance_state === 'none' && !row.is_absent;

type RoundProps = {
  userId: string;
  /** Milliseconds since 1970, by the server's clock. */
  now: number;
  position: Position | undefined;
  /** Marks that are not sent yet, by assignment. */
  queued: ReadonlyMap<string, Mark>;
};

type PostProps = RoundProps & { rows: Rows; name: string | null };

/** The guards of one post. Several who are all there are marked with one press. */
function Post({ rows, name, userId, now, position, queued }: PostProps) {
  const [marked, setMarked] = useState<ReadonlyMap<string, Mark>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const toMark = rows.filter((row) => isToMark(row) && !queued.has(row.assignment_id));
  const mark = ({ assignment_id }: Row, kind: Mark) =>
    setMarked((known) => new Map(known).set(assignment_id, kind));

  async function markAll() {
    setBusy(true);
    try {
      const where = position ?? (await locate());
      for (const row of toMark) {
        markPressed(musterSpot(row), 'in');
        await muster({ userId, row, mark: 'in', position: where });
        mark(row, 'in');
      }
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      {(name !== null || toMark.length > 1) && (
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-sunken/60 px-4 py-2 sm:px-5">
          <h3 className="font-semibold [overflow-wrap:anywhere]">{name}</h3>
          {toMark.length > 1 && (
            <Button
              variant="secondary"
              busy={isBusy}
              aria-label={`All at post, ${toMark.length} guards${name ? `, ${name}` : ''}`}
              onClick={() => void markAll()}
            >
              <CheckCheck aria-hidden="true" className="size-5" /> All at Post
            </Button>
          )}
        </div>
      )}
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <MusterRow
            key={row.assignment_id}
            {...{ row, userId, position }}
            hasBegun={Date.parse(row.start_time) <= now}
            waiting={queued.get(row.assignment_id)}
            marked={marked.get(row.assignment_id)}
            onMark={(kind) => mark(row, kind)}
            isLocked={isBusy}
          />
        ))}
      </ul>
    </>
  );
}

/** @returns the rows of each post, in the order of their first rows */
function byPost(rows: Rows): [name: string | null, rows: Rows][] {
  const posts = new Map<string | null, [Row, ...Row[]]>();
  for (const row of rows) {
    // A list that an earlier version has cached names no posts.
    const name = row.post_name ?? null;
    const known = posts.get(name);
    if (known) known.push(row);
    else posts.set(name, [row]);
  }
  return [...posts];
}

type SiteProps = RoundProps & { rows: Rows };

function Site({ rows, ...round }: SiteProps) {
  const id = useId();
  const present = rows.filter(({ attendance_state }) => attendance_state === 'in').length;
  return (
    <section aria-labelledby={id}>
      <Card>
        <h2
          id={id}
          className="flex flex-wrap justify-between gap-x-4 border-b border-line px-4 py-3 font-display text-xl [overflow-wrap:anywhere] sm:px-5"
        >
          {rows[0].site_name}
          <span className="font-sans text-base text-muted tabular-nums">
            {present} of {rows.length} clocked in
          </span>
        </h2>
        <div className="divide-y divide-line">
          {byPost(rows).map(([name, ofPost]) => (
            <Post key={name} {...round} rows={ofPost} name={name} />
          ))}
        </div>
      </Card>
    </section>
  );
}

/** @param toMark the guards who come first */
function bySite(rows: readonly Row[], toMark: ReadonlySet<string>): [Row, ...Row[]][] {
  const sites = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const known = sites.get(row.site_id);
    if (known) known.push(row);
    else sites.set(row.site_id, [row]);
  }
  const place = ({ assignment_id }: Row) => (toMark.has(assignment_id) ? 0 : 1);
  // Sorting keeps the order of the names otherwise.
  for (const own of sites.values()) own.sort((a, b) => place(a) - place(b));
  const placeOf = (site: readonly Row[]) => Math.min(...site.map(place));
  return [...sites.values()].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Guards still to be marked when the round began: a row that is marked stays where the thumb is. */
function useFirstToMark(rows: readonly Row[] | undefined): ReadonlySet<string> {
  const [first, setFirst] = useState<ReadonlySet<string>>();
  if (rows && !first) {
    setFirst(new Set(rows.filter(isToMark).map(({ assignment_id }) => assignment_id)));
  }
  return first ?? new Set();
}

/** Who should be at post now. The supervisor on the round marks who stands there. */
export function MusterList({ userId }: { userId: string }) {
  const query = useQuery(musterQuery);
  const { waiting } = useOutbox();
  const now = useServerNow() ?? serverNow();
  const [typed, setTyped] = useState('');
  const [location] = usePosition({ mayAsk: true });
  const queued = waitingMarks(waiting);
  const toMark = useFirstToMark(query.data);
  const position = location.state === 'found' ? location.position : undefined;
  return (
    <>
      <div>
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">Muster</h1>
        <p className="mt-2 text-muted">
          Mark the guards you see at their posts. Your location is stored with it.
        </p>
        {location.state === 'failed' && (
          <p role="status" className="mt-2 font-semibold text-warning">
            No location. What you mark is stored, and marked for review.
          </p>
        )}
      </div>
      <Loaded query={query} loadingText="Loading guards...">
        {(rows) => {
          const sites = bySite(rows, toMark);
          const words = searchWords(typed);
          const shown = sites.filter((site) =>
            site.some(
              ({ site_name, guard_name }) =>
                hasWords(site_name, words) || hasWords(guard_name, words),
            ),
          );
          return (
            <div className="grid gap-5">
              {sites.length >= MANY && (
                <Input
                  type="search"
                  aria-label="Search sites and guards"
                  placeholder="Search sites and guards"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
              {shown.length === 0 && (
                <p className="text-muted">
                  {words.length > 0 ? 'Nothing matches.' : 'No guard should be at your sites now.'}
                </p>
              )}
              {shown.map((site) => (
                <Site key={site[0].site_id} rows={site} {...{ userId, now, position, queued }} />
              ))}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}
