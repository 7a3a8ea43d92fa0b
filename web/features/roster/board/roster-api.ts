import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  type RosterBoardInput,
  type RosterInput,
  type RosterPair,
  rosterBoardSchema,
  rosterFirstSitesSchema,
  rosterInputSchema,
} from '#shared/roster/input.ts';
import { rosterKey } from '#web/lib/data/keys.ts';
import { errorFrom, readErrorCode } from '#web/lib/errors/error-message.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Conflict, ConflictError } from './roster-session.ts';
import type { Move, RosterState } from './roster-store.ts';

export type Span = { from: string; to: string };

const spanOf = ({ from, to }: Span) => ({ p_from: from, p_to: to });

/** Sites on a board. The database has the same number, in roster_board. */
export const SITES_OF_BOARD = 100;

/** Which sites a planner of more than one board sees. */
export type BoardPart = {
  page?: number | undefined;
  site?: string | undefined;
  client?: string | undefined;
  supervisor?: string | undefined;
  q?: string | undefined;
};

async function fetchRoster(span: Span, part: BoardPart): Promise<RosterBoardInput> {
  const { page, site, client, supervisor, q } = part;
  const { data } = await supabase()
    .rpc('roster_board', {
      ...spanOf(span),
      ...(page && { p_page: page }),
      ...(site && { p_site: site }),
      ...(client && { p_client: client }),
      ...(supervisor && { p_supervisor: supervisor }),
      ...(q && { p_q: q }),
    })
    .throwOnError();
  return rosterBoardSchema.parse(data);
}

export const boardsKey = ({ from, to }: Span) => [...rosterKey, 'board', from, to] as const;

export const rosterQuery = (span: Span, part: BoardPart = {}) =>
  queryOptions({
    queryKey: [...boardsKey(span), part],
    queryFn: () => fetchRoster(span, part),
    // The board keeps it up to date itself; a later visit begins with a new one.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5_000,
    structuralSharing: false,
  });

/** Not shown in the rows. */
const NO_FACTS = {
  gender: null,
  home: null,
  home_region: null,
  max_distance_km: null,
  phone: null,
  certificates: {},
  leave: [],
  wishes: [],
  banned: [],
  inducted: [],
  known: {},
  past: { hours: 0, nights: 0, sundays: 0 },
  outside: [],
};

async function fetchFirstSites(span: Span): Promise<RosterInput> {
  const { data } = await supabase().rpc('roster_first_sites', spanOf(span)).throwOnError();
  const { people, ...input } = rosterFirstSitesSchema.parse(data);
  return { ...input, people: people.map((person) => ({ ...NO_FACTS, ...person })) };
}

/** The rows at the top of the board, which come sooner than the board. */
export const firstSitesQuery = (span: Span) =>
  queryOptions({
    queryKey: [...rosterKey, 'first sites', span.from, span.to],
    queryFn: () => fetchFirstSites(span),
  });

const copiesSchema = z.array(
  z.object({
    shift_id: z.string(),
    user_id: z.string(),
    name: z.string(),
    site: z.string(),
    zone: z.string(),
    start: z.string(),
    /** Null: the guard can work the shift. */
    obstacle: z.nullable(z.string()),
  }),
);

async function fetchCopies(from: string, to: string) {
  const { data } = await supabase().rpc('roster_copies', { p_from: from, p_to: to }).throwOnError();
  return copiesSchema.parse(data);
}
export type RosterCopy = z.infer<typeof copiesSchema>[number];

/** Guards of a week at the open seats of another one. Fetched each time the dialog opens. @param from both are Mondays */
export const rosterCopiesQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...rosterKey, 'copies', from, to],
    queryFn: () => fetchCopies(from, to),
    gcTime: 0,
  });

const stateSchema = z.pick(rosterInputSchema, {
  assignments: true,
  changes: true,
  pins: true,
  bids: true,
  periods: true,
});

/** Changes while a board is open; without the people and posts. @param sites all without them */
export async function fetchRosterState(span: Span, sites?: string[]): Promise<RosterState> {
  const { data } = await supabase()
    .rpc('roster_state', { ...spanOf(span), ...(sites && { p_sites: sites }) })
    .throwOnError();
  return stateSchema.parse(data);
}

const conflictsSchema = z.array(
  z.object({
    shift_id: z.string(),
    user_id: z.string(),
    rule: z.string(),
    message: z.string(),
    can_override: z.optional(z.boolean()),
  }),
);

/** @throws ConflictError instead of a refusal with the list of what no longer fits */
async function explained<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (readErrorCode(error) !== 'PT409') throw error;
    const failure = errorFrom(error);
    const details: unknown = failure && Reflect.get(failure, 'details');
    const parsed = conflictsSchema.safeParse(
      typeof details === 'string' ? JSON.parse(details) : [],
    );
    const conflicts: Conflict[] = parsed.success ? parsed.data : [];
    throw new ConflictError(failure?.message ?? 'The roster has changed.', conflicts);
  }
}

/** How each guard and shift shall be in the end, because a call may name them once. */
function finalOf(moves: readonly Move[]): Move[] {
  const last = new Map(moves.map((move) => [`${move.shift_id} ${move.user_id}`, move]));
  return [...last.values()];
}

/** Limit of one call. */
const MOST_AT_ONCE = 5000;

export async function saveMoves(moves: readonly Move[]): Promise<void> {
  // First those who are taken off, so that their seats and hours are free.
  const rows = finalOf(moves).sort((a, b) => Number(a.on) - Number(b.on));
  for (let from = 0; from < rows.length; from += MOST_AT_ONCE) {
    const p_changes = rows
      .slice(from, from + MOST_AT_ONCE)
      .map(({ shift_id, user_id, on, override_reason }) => ({
        shift_id,
        user_id,
        change: on ? 'assign' : 'unassign',
        ...(on && override_reason && { override_reason }),
      }));
    await explained(async () => {
      await supabase().rpc('apply_roster', { p_changes }).throwOnError();
    });
  }
}

/** Returns the guards and shifts to what is published. */
export async function discardChanges(pairs: readonly RosterPair[]): Promise<void> {
  for (let from = 0; from < pairs.length; from += MOST_AT_ONCE) {
    const part = pairs.slice(from, from + MOST_AT_ONCE);
    await supabase()
      .rpc('apply_roster', {
        p_changes: part.map(({ shift_id, user_id }) => ({ shift_id, user_id, change: 'reset' })),
      })
      .throwOnError();
  }
}

export async function pinPairs(pairs: readonly RosterPair[], pinned: boolean): Promise<void> {
  await supabase()
    .rpc('pin_roster', {
      p_pins: pairs.map(({ shift_id, user_id }) => ({ shift_id, user_id })),
      p_pinned: pinned,
    })
    .throwOnError();
}

async function fetchDifferences(span: Span) {
  const { data } = await supabase().rpc('roster_differences', spanOf(span)).throwOnError();
  return data;
}

export const differencesQuery = (span: Span) =>
  queryOptions({
    queryKey: [...rosterKey, 'differences', span],
    queryFn: () => fetchDifferences(span),
    gcTime: 0,
  });

export const publishRoster = (span: Span) =>
  explained(async () => {
    const { data } = await supabase().rpc('publish_roster', spanOf(span)).throwOnError();
    return data;
  });
