import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { Card } from '#web/components/ui/card.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { usePosition } from '#web/lib/position/use-position.ts';
import { musterQuery, type MusterRow as Row, waitingMarks } from './api.ts';
import { MusterRow } from './muster-row.tsx';

/** From so many sites on there is a search. */
const MANY = 4;

type SiteProps = { rows: readonly [Row, ...Row[]]; render: (row: Row) => React.ReactNode };

function Site({ rows, render }: SiteProps) {
  const id = useId();
  const present = rows.filter(({ attendance_state }) => attendance_state === 'in').length;
  return (
    <section aria-labelledby={id}>
      <Card>
        <h2
          id={id}
          className="flex flex-wrap justify-between gap-x-4 border-b border-line px-4 py-3 font-display text-xl sm:px-5"
        >
          {rows[0].site_name}
          <span className="font-sans text-base text-muted tabular-nums">
            {present} of {rows.length} clocked in
          </span>
        </h2>
        <ul className="divide-y divide-line">{rows.map(render)}</ul>
      </Card>
    </section>
  );
}

const isToMark = (row: Row) => row.attendance_state === 'none' && !row.is_absent;

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
                <Site
                  key={site[0].site_id}
                  rows={site}
                  render={(row) => (
                    <MusterRow
                      key={row.assignment_id}
                      row={row}
                      userId={userId}
                      hasBegun={Date.parse(row.start_time) <= now}
                      position={position}
                      waiting={queued.get(row.assignment_id)}
                    />
                  )}
                />
              ))}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}
