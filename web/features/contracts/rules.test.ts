import { expect, test } from 'vitest';
import { byDay, byPost, type CoverageRow, hours } from './rules.ts';

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

test('hours', () => {
  expect([0, 30, 5_970, 6_000, 90_000].map(hours)).toEqual([
    '-',
    '0.5 h',
    '99.5 h',
    '100 h',
    '1,500 h',
  ]);
});
