import { expect, test } from 'vitest';
import {
  formatPosition,
  parsePosition,
  SEGMENT_BYTES,
  segmentName,
  segmentNumber,
  toSegment,
} from './positions.ts';

test.each([
  ['0/3000060', '000000010000000000000003'],
  ['0/FFFFFFFF', '0000000100000000000000FF'],
  ['1/0', '000000010000000100000000'],
  ['2A/FE000000', '000000010000002A000000FE'],
])('position %s is in segment %s, as pg_walfile_name says', (position, name) => {
  const segment = toSegment(parsePosition(position));
  expect(segmentName(1, segment)).toBe(name);
  expect(segmentNumber(name)).toBe(segment);
  expect(formatPosition(parsePosition(position))).toBe(position);
});

test('segments are numbered without a gap from one logical file to the next', () => {
  const last = segmentNumber('0000000200000001000000FF');
  expect(segmentName(2, last + 1)).toBe('000000020000000200000000');
  expect(formatPosition((last + 1) * SEGMENT_BYTES)).toBe('2/0');
});
