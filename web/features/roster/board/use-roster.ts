import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { listenTo } from '#web/lib/realtime/live-tables.ts';
import { createRefresher } from '#web/lib/realtime/refresher.ts';
import {
  type BoardPart,
  boardsKey,
  fetchRosterState,
  firstSitesQuery,
  pinPairs,
  rosterQuery,
  type Span,
  saveMoves,
} from './roster-api.ts';
import { ConflictError, createRosterSession, type RosterSession } from './roster-session.ts';
import { createRosterStore, type Edit } from './roster-store.ts';

/** Who stands where, and what the rows are. */
const STATE_TABLES = [
  'roster_changes',
  'roster_pins',
  'roster_periods',
  'assignments',
  'offers',
] as const;
const INPUT_TABLES = [
  'shifts',
  'posts',
  'rule_sets',
  'sites',
  'leave_requests',
  'certifications',
] as const;
/** Another planner's change is on screen within a second. */
const STATE_DEBOUNCE_MS = 120;
/** The nightly expansion changes many shifts. */
const INPUT_DEBOUNCE_MS = 1_500;
/** Changes between loading and the subscription. */
const SETTLE_MS = 2_000;

function reportRefusal({ label }: Edit, error: unknown) {
  const reasons =
    error instanceof ConflictError
      ? [...new Set(error.conflicts.map(({ message }) => message))].slice(0, 3).join('. ')
      : '';
  showError(label ? `${label}: not saved` : 'Not saved', reasons || describeError(error));
}

const nowInMinutes = () => Date.now() / 60_000;

const WHOLE: BoardPart = {};

const refused = () => Promise.reject(new Error('The roster is loading.'));

/** The top of the board until the board is here: nothing of it can be edited. */
function usePreview(span: Span, isWanted: boolean): RosterSession | undefined {
  const { data } = useQuery({ ...firstSitesQuery(span), enabled: isWanted });
  return useMemo(
    () =>
      // Without shifts the board may say why there are none.
      data?.shifts.length
        ? createRosterSession(
            createRosterStore(data, nowInMinutes, true),
            { save: refused, pin: refused, load: refused },
            { onRefused: reportRefusal },
          )
        : undefined,
    [data],
  );
}

/**
 * The roster of these days, with its edits, kept up to date. Planners of more sites than one board shows get a part of them.
 * @param span must be the same object on each render, and so must `part`
 * @param isUnfiltered whether the first rows may come before the others
 */
export function useRoster(span: Span, part: BoardPart, isUnfiltered: boolean) {
  const client = useQueryClient();
  const whole = useQuery(rosterQuery(span));
  const isPartial = (whole.data?.sites_planned ?? 0) > (whole.data?.sites.length ?? 0);
  const shown = isPartial ? part : WHOLE;
  const query = useQuery(rosterQuery(span, shown));
  const { data } = query;
  const previous = useRef<{ span: Span; shown: BoardPart; session: RosterSession }>(undefined);
  const session = useMemo(() => {
    if (!data) return undefined;
    const before =
      previous.current?.span === span && previous.current.shown === shown
        ? previous.current.session
        : undefined;
    const made = createRosterSession(
      createRosterStore(data, nowInMinutes, false, before?.store),
      {
        save: saveMoves,
        pin: pinPairs,
        load: () => fetchRosterState(span, isPartial ? data.sites.map(({ id }) => id) : undefined),
      },
      { onRefused: reportRefusal },
      before?.history(),
    );
    previous.current = { span, shown, session: made };
    return made;
  }, [data, span, shown, isPartial]);

  useEffect(() => {
    if (!session) return undefined;
    const state = createRefresher(
      () =>
        session
          .refresh()
          .catch((error: unknown) => console.warn('The roster is out of date:', error)),
      STATE_DEBOUNCE_MS,
    );
    const input = createRefresher(async () => {
      // A new input would not have what is not saved yet.
      await session.settled();
      await client.refetchQueries({ queryKey: boardsKey(span) });
    }, INPUT_DEBOUNCE_MS);
    const leaves = [
      ...STATE_TABLES.map((table) =>
        listenTo(table, { changed: () => state.refresh(), live: () => state.refresh(SETTLE_MS) }),
      ),
      ...INPUT_TABLES.map((table) =>
        listenTo(table, { changed: () => input.refresh(), live: () => undefined }),
      ),
    ];
    return () => {
      session.stop();
      state.stop();
      input.stop();
      for (const leave of leaves) leave();
    };
  }, [session, client, span]);

  useEffect(
    () => () => {
      // The next visit must not begin with rows from before this one's edits.
      client.removeQueries({ queryKey: boardsKey(span) });
      client.removeQueries({ queryKey: firstSitesQuery(span).queryKey });
    },
    [client, span],
  );

  const isLoading = session === undefined && !query.isError;
  const preview = usePreview(span, isUnfiltered && isLoading);
  return { query, session, preview: isLoading ? preview : undefined, isPartial };
}
