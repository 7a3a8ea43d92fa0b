import { describe, expect, test } from 'vitest';
import { readContactId } from './contact-id.ts';

describe('a Contact ID message', () => {
  test.each([
    [
      '1234 18 1130 01 015',
      'alarm',
      'intruder',
      'urgent',
      'Burglary (130), partition 01, zone 015',
    ],
    ['1234 18 1110 00 003', 'alarm', 'fire', 'danger', 'Fire (110), partition 00, zone 003'],
    ['12AF 98 1121 01 000', 'alarm', 'alarm', 'danger', 'Duress (121), partition 01, zone 000'],
    ['1234 18 1100 01 00f', 'alarm', 'medical', 'danger', 'Medical (100), partition 01, zone 00f'],
    ['1234 18 1151 01 002', 'alarm', 'other', 'urgent', 'Gas (151), partition 01, zone 002'],
    [
      '1234 18 3130 01 015',
      'restore',
      'intruder',
      'urgent',
      'Restored: Burglary (130), partition 01, zone 015',
    ],
    [
      '1234 18 6130 01 015',
      'note',
      'intruder',
      'urgent',
      'Still present: Burglary (130), partition 01, zone 015',
    ],
    [
      '1234 18 1302 00 000',
      'note',
      undefined,
      'routine',
      'Low battery (302), partition 00, zone 000',
    ],
    [
      '1234 18 3401 01 004',
      'restore',
      undefined,
      'routine',
      'Closed by a user (401), partition 01, zone 004',
    ],
    ['1234 18 1999 01 004', 'note', undefined, 'routine', 'Signal (999), partition 01, zone 004'],
  ])('%s is %s of kind %s', (sent, signal, kind, priority, body) => {
    expect(readContactId(` ${sent}\r\n`)).toMatchObject({ signal, kind, priority, body });
  });

  test('names its account', () => {
    expect(readContactId('12af 18 1130 01 015')?.account).toBe('12AF');
  });

  test.each(['', '1234 18 2130 01 015', '1234 17 1130 01 015', '1234 18 1130 01', 'hello'])(
    '%j is none',
    (sent) => {
      expect(readContactId(sent)).toBeUndefined();
    },
  );
});
