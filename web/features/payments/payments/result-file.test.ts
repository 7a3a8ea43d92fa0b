import { describe, expect, test } from 'vitest';
import { readDay, resultReader } from './result-file.ts';

const format = {
  result_columns: {
    code: 'Reference',
    status: 'Status',
    amount: 'Amount',
    date: 'Date',
    reason: 'Reason',
  },
  paid_words: ['success'],
  failed_words: ['failed', 'rejected'],
  date_format: 'DD/MM/YYYY' as const,
};
const read = resultReader(format);

describe('a line of a result', () => {
  test('that was paid has its amount and day', () => {
    expect(
      read({ Reference: 'A1', Status: 'SUCCESS', Amount: '$1,250.5', Date: '03/11/2026 10:15' }),
    ).toEqual({ record: { code: 'A1', status: 'paid', amount: '1250.50', paid_on: '2026-11-03' } });
  });

  test('that failed has its reason, and the day, which is that of a return', () => {
    expect(
      read({ Reference: 'A1', Status: 'Rejected', Date: '03/11/2026', Reason: 'Unknown number' }),
    ).toEqual({
      record: { code: 'A1', status: 'failed', failure: 'Unknown number', paid_on: '2026-11-03' },
    });
  });

  test('from a workbook has its dates as yyyy-MM-dd', () => {
    const cells = { Reference: 'A1', Status: 'Success' };
    for (const date of ['2026-11-03', '2026-11-03 10:15']) {
      expect(read({ ...cells, Date: date })).toMatchObject({ record: { paid_on: '2026-11-03' } });
    }
  });

  test.each([
    // Money of a pending line may still be on the way: it is not failed.
    [{ Reference: 'A1', Status: 'Pending' }, '"Pending" means neither paid nor failed'],
    [{ Status: 'Success' }, 'Our reference is missing'],
    [{ Reference: 'A1', Status: 'Success', Amount: 'ten' }, '"ten" is not an amount'],
    [{ Reference: 'A1', Status: 'Success', Amount: '12,50' }, '"12,50" is not an amount'],
    [{ Reference: 'A1', Status: 'Success', Date: '03.11.2026' }, '"03.11.2026" is not a day'],
    [{ Reference: 'A1', Status: 'Success', Date: '30/02/2026' }, '"30/02/2026" is not a day'],
  ])('with a problem names it: %j', (cells, problem) => {
    expect(read(cells)).toEqual({ problem });
  });
});

test.each([
  ['YYYY-MM-DD', '2026-11-03'],
  ['DD/MM/YYYY', '03/11/2026'],
  ['MM/DD/YYYY', '11/03/2026'],
  ['DD-MM-YYYY', '03-11-2026'],
  ['YYYYMMDD', '20261103'],
])('a day written as %s is read', (dateFormat, text) => {
  expect(readDay(text, dateFormat)).toBe('2026-11-03');
});
