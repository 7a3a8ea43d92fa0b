import { describe, expect, it } from 'vitest';
import { findKind, jsonText, type Kind } from './tables.ts';

const scalars: [type: string, text: string | null, json: string][] = [
  ['int8', '9223372036854775807', '9223372036854775807'],
  ['numeric', '-0.10', '-0.10'],
  ['numeric', 'NaN', '"NaN"'],
  ['float8', '1e+20', '1e+20'],
  ['float8', '-Infinity', '"-Infinity"'],
  ['bool', 't', 'true'],
  ['bool', 'f', 'false'],
  ['jsonb', '{"a": [1, null]}', '{"a": [1, null]}'],
  ['timestamptz', '2026-01-02 03:04:05.678901+00', '"2026-01-02T03:04:05.678901+00:00"'],
  ['timestamp', '2026-01-02 03:04:05.678901', '"2026-01-02T03:04:05.678901"'],
  ['timestamptz', '0044-03-15 00:00:00+00 BC', '"0044-03-15T00:00:00+00:00 BC"'],
  ['timestamptz', 'infinity', '"infinity"'],
  ['date', '2026-01-02', '"2026-01-02"'],
  ['text', 'a "quoted"\nline\u2028', JSON.stringify('a "quoted"\nline\u2028')],
  ['uuid', null, 'null'],
];

const arrays: [type: string, text: string, value: unknown][] = [
  ['int4', '{1,NULL,3}', [1, null, 3]],
  ['text', '{a,"b,c","NULL",NULL,"\\"q\\""}', ['a', 'b,c', 'NULL', null, '"q"']],
  [
    'bool',
    '{{t,f},{f,t}}',
    [
      [true, false],
      [false, true],
    ],
  ],
  ['jsonb', '{"{\\"a\\": 1}"}', [{ a: 1 }]],
  ['text', '{}', []],
];

describe('a value', () => {
  it.each(scalars)('of type %s: %s', (type, text, json) => {
    expect(jsonText(text, { kind: findKind(type), isArray: false })).toBe(json);
  });

  it.each(arrays)('of type %s[]: %s', (type, text, value) => {
    const kind: Kind = findKind(type);
    expect(JSON.parse(jsonText(text, { kind, isArray: true }))).toEqual(value);
  });
});
