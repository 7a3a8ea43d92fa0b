import { describe, expect, test } from 'vitest';
import { byDay, byPost, type CoverageRow, hours, monthlyCost, totalOf } from './rules.ts';

const row = (figures: Partial<CoverageRow>): CoverageRow => ({
  site_id: 's1',
  site_name: 'Harbour',
  post_id: 'p1',
  post_name: 'Gate',
  day: '2026-10-01',
  required_minutes: 720,
  worked_minutes: 720,
  uncovered_minutes: 0,
  late_minutes: 0,
  overstaffed_minutes: 0,
  ...figures,
});

test('a late guard and an empty post are apart, and the least covered post comes first', () => {
  const rows = [
    row({}),
    row({ post_id: 'p2', post_name: 'Yard', uncovered_minutes: 150, late_minutes: 30 }),
  ];
  expect(byDay(rows)).toMatchObject([{ day: '2026-10-01', covered: 1290, late: 30, absent: 120 }]);
  expect(byPost(rows).map(({ post, share }) => [post, share])).toEqual([
    ['Yard', '79.1 %'],
    ['Gate', '100.0 %'],
  ]);
});

test('a minute missing in a month is not rounded to full coverage', () => {
  const [post] = byPost([row({ required_minutes: 43_200, uncovered_minutes: 1 })]);
  expect(post?.share).toBe('99.9 %');
});

test('the total of all posts has the share of the required hours that was covered', () => {
  expect(totalOf([row({}), row({ uncovered_minutes: 720, late_minutes: 60 })])).toMatchObject({
    required: 1440,
    late: 60,
    absent: 660,
    share: '50.0 %',
  });
  expect(totalOf([]).share).toBe('-');
});

test('hours', () => {
  expect([0, 30, 5_970, 6_000, 90_000].map(hours)).toEqual([
    '-',
    '0.5 h',
    '99.5 h',
    '100 h',
    '1,500 h',
  ]);
});

describe('the monthly cost of a contract', () => {
  const post = (of: Partial<Parameters<typeof monthlyCost>[0][number]>) => ({
    id: 'c1',
    site_id: 's1',
    post_id: null,
    basis: 'worked' as const,
    monthly_amount: null,
    minimum_hours: null,
    starts_on: '2026-01-01',
    ends_on: null,
    ...of,
  });
  const rate = (amount: number, of: Partial<Parameters<typeof monthlyCost>[1][number]> = {}) => ({
    contract_post_id: null,
    kind: 'regular' as const,
    amount,
    effective_from: '2026-01-01',
    ...of,
  });
  const TODAY = '2026-11-01';

  test('fixed amounts, required hours of the rest of the site, and a minimum that is more', () => {
    const posts = [
      post({ id: 'gate', post_id: 'p1', basis: 'fixed', monthly_amount: 1850.5 }),
      post({ id: 'yard', post_id: 'p2', basis: 'minimum', minimum_hours: 100 }),
      post({ id: 'rest' }),
      post({
        id: 'gone',
        site_id: 's9',
        basis: 'fixed',
        monthly_amount: 9999,
        ends_on: '2026-10-31',
      }),
    ];
    const rates = [
      rate(4.25),
      rate(5, { effective_from: '2026-12-01' }),
      rate(9, { kind: 'night' }),
      rate(2, { contract_post_id: 'yard' }),
    ];
    const coverage = [row({}), row({ post_id: 'p2' }), row({ post_id: 'p3' })];
    // 1,850.50, and 100 h at $2, and 12 h at $4.25.
    expect(monthlyCost(posts, rates, coverage, TODAY)).toBe(210_150n);
  });

  test('is unknown while an hour has no price', () => {
    expect(monthlyCost([post({})], [], [row({})], TODAY)).toBeUndefined();
    expect(monthlyCost([post({})], [], [], TODAY)).toBe(0n);
  });
});
