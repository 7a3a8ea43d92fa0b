import { expect, test } from 'vitest';
import { formatCents } from '#shared/money.ts';
import { type MarginRow, ratesText, shareOf, sumsBy } from './rules.ts';

const row = (figures: Partial<MarginRow>): MarginRow => ({
  site_id: 's1',
  site_name: 'Harbour',
  client_id: 'c1',
  client_name: 'Port',
  month: '2026-03-01',
  currency: 'USD',
  billed: '100.00',
  wages: '60.00',
  employer: '4.50',
  direct: '0.00',
  margin: '35.50',
  billed_minutes: 600,
  worked_minutes: 600,
  rates: [],
  ...figures,
});

const ROWS = [
  row({}),
  row({ month: '2026-04-01', billed: '10.10', margin: '-54.40', rates: [195] }),
  row({ site_id: 's2', site_name: 'Depot', margin: '-70.25', rates: [184, 195] }),
  row({ site_id: 's2', site_name: 'Depot', currency: 'LRD', margin: '-9000.00' }),
];

const shown = (by: Parameters<typeof sumsBy>[1]) =>
  sumsBy(ROWS, by).map(
    ({ name, currency, margin }) => `${name} ${currency} ${formatCents(margin)}`,
  );

test('the site that loses most comes first, and currencies stay apart', () => {
  expect(shown('site')).toEqual(['Depot USD -70.25', 'Harbour USD -18.90', 'Depot LRD -9,000.00']);
  expect(shown('client')).toEqual(['Port USD -89.15', 'Port LRD -9,000.00']);
  expect(shown('month')).toEqual([
    'Mar 2026 USD -34.75',
    'Apr 2026 USD -54.40',
    'Mar 2026 LRD -9,000.00',
  ]);
});

test('the share of the margin, and the rates that converted it', () => {
  const [depot, harbour] = sumsBy(ROWS, 'site');
  expect(harbour && shareOf(harbour)).toBe('-17.1 % of billed');
  expect(shareOf({ margin: -100n, billed: 0n })).toBeUndefined();
  expect(ratesText(depot?.rates ?? [])).toBe('L$184.00, L$195.00 for $1.00');
  expect(ratesText([])).toBeUndefined();
});
