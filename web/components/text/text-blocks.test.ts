import { expect, test } from 'vitest';
import { parseBlocks } from './text-blocks.ts';

test('headings, points and paragraphs are recognized', () => {
  const text =
    '# Gate\nCheck every car.\nAsk for a badge.\n\n- Trucks: call 4\n* Buses: wait\n## Fire';
  expect(parseBlocks(text)).toEqual([
    { kind: 'heading', texts: ['Gate'], line: 0 },
    { kind: 'paragraph', texts: ['Check every car.', 'Ask for a badge.'], line: 1 },
    { kind: 'list', texts: ['Trucks: call 4', 'Buses: wait'], line: 4 },
    { kind: 'heading', texts: ['Fire'], line: 6 },
  ]);
});

test('a hash or a dash inside a line is text, and an empty text has nothing', () => {
  expect(parseBlocks('Call #4 - or 5\n#4 too')).toEqual([
    { kind: 'paragraph', texts: ['Call #4 - or 5', '#4 too'], line: 0 },
  ]);
  expect(parseBlocks(' \n')).toEqual([]);
});
