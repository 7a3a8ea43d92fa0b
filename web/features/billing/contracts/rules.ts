import { formatCount } from '#shared/count.ts';
import type { Database } from '#shared/database.types.ts';
import { parseCents } from '#shared/money.ts';
import type { ContractPost, Rate } from './schema.ts';

export type CoverageRow = Database['public']['Functions']['coverage']['Returns'][number];

/** Of a chart of `byDay`: covered, late, absent. */
export const COVERAGE_SERIES = [
  { name: 'Covered', colour: 'var(--info)' },
  { name: 'Late', colour: 'var(--warning)' },
  { name: 'Uncovered', colour: 'var(--danger)' },
];

/** Minutes of one day or one post. Late is the part of what was uncovered before the guard came; absent is the rest. */
type Sums = {
  required: number;
  worked: number;
  covered: number;
  late: number;
  absent: number;
  overstaffed: number;
};

const NOTHING: Sums = { required: 0, worked: 0, covered: 0, late: 0, absent: 0, overstaffed: 0 };

const added = (sums: Sums, row: CoverageRow): Sums => ({
  required: sums.required + row.required_minutes,
  worked: sums.worked + row.worked_minutes,
  covered: sums.covered + row.required_minutes - row.uncovered_minutes,
  late: sums.late + row.late_minutes,
  absent: sums.absent + row.uncovered_minutes - row.late_minutes,
  overstaffed: sums.overstaffed + row.overstaffed_minutes,
});

function sumsBy(rows: readonly CoverageRow[], keyOf: (row: CoverageRow) => string) {
  const groups = new Map<string, { first: CoverageRow; sums: Sums }>();
  for (const row of rows) {
    const key = keyOf(row);
    const { first = row, sums = NOTHING } = groups.get(key) ?? {};
    groups.set(key, { first, sums: added(sums, row) });
  }
  return [...groups.entries()];
}

/** @returns the sums of each day, in order */
export const byDay = (rows: readonly CoverageRow[]) =>
  sumsBy(rows, ({ day }) => day)
    .map(([day, { sums }]) => ({ day, ...sums }))
    .sort((a, b) => a.day.localeCompare(b.day));

/** The sums of all rows, and the part of the required hours that was covered. */
export function totalOf(rows: readonly CoverageRow[]): Sums & { share: string } {
  const sums = rows.reduce(added, NOTHING);
  return { ...sums, share: shareOf(sums) };
}

export type PostCoverage = Sums & { id: string; post: string; site: string; share: string };

/** @returns the sums of each post, the least covered first */
export function byPost(rows: readonly CoverageRow[]): PostCoverage[] {
  return sumsBy(rows, ({ site_id, post_id }) => `${site_id} ${post_id}`)
    .map(([id, { first, sums }]) => ({
      id,
      post: first.post_name || 'Without a post',
      site: first.site_name,
      ...sums,
      share: shareOf(sums),
    }))
    .sort((a, b) => b.absent + b.late - (a.absent + a.late));
}

/** Rounded down, so that 100 % means all of it. */
const shareOf = ({ covered, required }: Sums) =>
  required === 0 ? '-' : `${(Math.floor((covered * 1000) / required) / 10).toFixed(1)} %`;

/** @returns whole hours from 100 up, otherwise one decimal; a dash for none */
export function hours(minutes: number): string {
  if (minutes === 0) return '-';
  const value = minutes / 60;
  return value >= 100 ? `${formatCount(Math.round(value))} h` : `${value.toFixed(1)} h`;
}

type Priced = Pick<
  ContractPost,
  | 'id'
  | 'site_id'
  | 'post_id'
  | 'basis'
  | 'monthly_amount'
  | 'minimum_hours'
  | 'starts_on'
  | 'ends_on'
>;
type Price = Pick<Rate, 'contract_post_id' | 'kind' | 'amount' | 'effective_from'>;

/** The regular price of an hour on a day, in ten-thousandths: of the post before the contract. */
function regularRate(rates: readonly Price[], postId: string, day: string): bigint | undefined {
  const [best] = rates
    .filter(
      ({ kind, contract_post_id: of, effective_from: from }) =>
        kind === 'regular' && (of === null || of === postId) && from <= day,
    )
    .sort(
      (a, b) =>
        Number(a.contract_post_id === null) - Number(b.contract_post_id === null) ||
        b.effective_from.localeCompare(a.effective_from),
    );
  return best && BigInt(Math.round(best.amount * 10_000));
}

/** Ten-thousandths an hour times minutes, in cents, rounded half up. */
const costOf = (rate: bigint, minutes: number): bigint =>
  (rate * BigInt(Math.round(minutes)) + 3000n) / 6000n;

/**
 * Fixed amounts, and the required hours of a month at the regular rate of the day, or the minimum if that is more.
 * @param coverage of the client's sites in that month
 * @returns cents; undefined where an hour has no price
 */
export function monthlyCost(
  posts: readonly Priced[],
  rates: readonly Price[],
  coverage: readonly CoverageRow[],
  day: string,
): bigint | undefined {
  const inForce = posts.filter(
    ({ starts_on, ends_on }) => starts_on <= day && (ends_on === null || day <= ends_on),
  );
  const rowOf = ({ site_id, post_id }: CoverageRow) =>
    inForce.find((row) => row.site_id === site_id && row.post_id === post_id) ??
    inForce.find((row) => row.site_id === site_id && row.post_id === null);
  let sum = 0n;
  for (const post of inForce) {
    if (post.basis === 'fixed') {
      sum += parseCents(post.monthly_amount);
      continue;
    }
    const required = coverage
      .filter((row) => rowOf(row)?.id === post.id)
      .reduce((minutes, row) => minutes + row.required_minutes, 0);
    const minutes = Math.max(required, (post.minimum_hours ?? 0) * 60);
    const rate = regularRate(rates, post.id, day);
    if (minutes > 0 && rate === undefined) return undefined;
    sum += costOf(rate ?? 0n, minutes);
  }
  return sum;
}
