// A page of the book of a post: what the office looks at, and what its client reads.
import * as z from 'zod/mini';
import { isoDay } from '../format/date-patterns.ts';
import { formatDateTime, formatTime } from '../format/dates.ts';
import { wallClock } from '../format/wall-clock.ts';
import { lineLabel } from '../vocabulary/book.ts';

const lineSchema = z.object({
  source: z.string(),
  id: z.string(),
  kind: z.string(),
  step: z.nullable(z.string()),
  at: z.string(),
  post_name: z.nullable(z.string()),
  author: z.nullable(z.string()),
  words: z.nullable(z.string()),
});

const factsSchema = z.object({
  site: z.string(),
  address: z.string(),
  client: z.string(),
  timezone: z.string(),
  visitors: z.number(),
  vehicles: z.number(),
  visitors_listed: z.boolean(),
  vehicles_listed: z.boolean(),
  /** Null if clock-ins are withheld. */
  guards: z.nullable(
    z.array(
      z.object({
        name: z.string(),
        post: z.nullable(z.string()),
        since: z.string(),
        until: z.nullable(z.string()),
      }),
    ),
  ),
});
export type PageFacts = z.infer<typeof factsSchema>;

const changesSchema = z.array(
  z.object({
    change: z.enum(['added', 'changed', 'struck', 'withheld', 'removed']),
    at: z.string(),
    kind: z.string(),
    step: z.nullable(z.string()),
  }),
);
export type PageChange = z.infer<typeof changesSchema>[number];

const pageSchema = z.object({
  day: z.string(),
  version: z.number(),
  released_at: z.string(),
  facts: factsSchema,
  changes: changesSchema,
  /** False once the period of the visitors has ended. */
  are_visits_kept: z.boolean(),
  lines: z.array(lineSchema),
});
/** As released; without a version, as it would be. */
export type PostPage = Omit<z.infer<typeof pageSchema>, 'version' | 'released_at'> & {
  version: number | undefined;
  released_at: string | undefined;
};

/** @param answer of the function read_page */
export const readPostPage = (answer: unknown): z.infer<typeof pageSchema> =>
  pageSchema.parse(answer);

const draftSchema = z.object({
  fingerprint: z.string(),
  facts: factsSchema,
  has_client: z.boolean(),
  is_over: z.boolean(),
  may_release: z.boolean(),
  /** With what keeps each from the client. */
  lines: z.array(
    z.extend(lineSchema, { withheld: z.nullable(z.enum(['struck', 'kind', 'line'])) }),
  ),
  released: z.nullable(
    z.object({
      id: z.string(),
      version: z.number(),
      at: z.string(),
      by: z.nullable(z.string()),
      withdrawn_at: z.nullable(z.string()),
      withdrawn_by: z.nullable(z.string()),
      withdraw_reason: z.nullable(z.string()),
      changes: changesSchema,
    }),
  ),
});
export type PageDraft = z.infer<typeof draftSchema>;

/** @param answer of the function page_draft */
export const readPageDraft = (answer: unknown): PageDraft => draftSchema.parse(answer);

const CHANGE_WORDS: Record<PageChange['change'], string> = {
  added: 'added',
  changed: 'changed',
  struck: 'struck through',
  withheld: 'withheld',
  removed: 'removed',
};

/** @returns for example "09:00 AM Observation: struck through" */
export const changeWords = ({ change, at, kind, step }: PageChange, zone: string): string =>
  `${formatTime(at, zone)} ${lineLabel(kind, step)}: ${CHANGE_WORDS[change]}`;

/** A time of another day says which: shifts cross midnight. */
export function timeOn(day: string, at: string, zone: string): string {
  return isoDay(wallClock(at, zone)) === day ? formatTime(at, zone) : formatDateTime(at, zone);
}

const count = (of: number, noun: string) => `${of} ${noun}${of === 1 ? '' : 's'}`;

/** Who came in, and why nobody is listed. */
export function cameIn({ facts, are_visits_kept: areKept }: PostPage): string {
  const { visitors, vehicles, visitors_listed: people, vehicles_listed: cars } = facts;
  const counted = `${count(visitors, 'visitor')}, ${count(vehicles, 'vehicle')}`;
  if (!areKept && visitors + vehicles > 0) return `${counted}; who they were is no longer kept`;
  const unlisted = [
    !people && visitors > 0 && 'visitors',
    !cars && vehicles > 0 && 'vehicles',
  ].filter(Boolean);
  return unlisted.length === 0 ? counted : `${counted}; ${unlisted.join(' and ')} are not listed`;
}
