import { expect, test } from 'vitest';
import { describeSum, formatShare, type MarginSum, ratesText } from './rules.ts';

const sum = (figures: Partial<MarginSum>): MarginSum => ({
  site_id: 's1',
  site_name: 'Harbour',
  client_id: 'c1',
  client_name: 'Port',
  month: null,
  billed: '110.10',
  wages: '120.00',
  employer: '9.00',
  direct: '0.00',
  margin: '-18.90',
  billed_minutes: 600,
  worked_minutes: 600,
  ...figures,
});

const NOWHERE = { site_id: null, site_name: null, client_id: null, client_name: null };

test('a sum has a name, and opens its parts', () => {
  expect(describeSum(sum({}), 'site')).toMatchObject({
    name: 'Harbour',
    hint: 'Port',
    opens: 's1',
  });
  expect(describeSum(sum(NOWHERE), 'site')).toMatchObject({ name: 'No site', opens: 'none' });
  expect(describeSum(sum(NOWHERE), 'client')).toMatchObject({ name: 'No client', opens: 'none' });
  expect(describeSum(sum({ ...NOWHERE, month: '2026-03-01' }), 'month')).toMatchObject({
    name: 'Mar 2026',
    opens: undefined,
  });
});

test('the share of the margin, and the rates that converted it', () => {
  expect(formatShare(sum({}))).toBe('-17.1 % of billed');
  expect(formatShare(sum({ margin: '-1.00', billed: '0.00' }))).toBeUndefined();
  expect(ratesText([195, 184])).toBe('L$184.00, L$195.00 for $1.00');
  expect(ratesText([])).toBeUndefined();
});
