// The schema files stay readable: one domain a file, functions of a page or two, lines that fit a screen.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SCHEMAS = path.resolve(import.meta.dirname, '..', '..', 'supabase', 'schemas');
const LONGEST_FILE = 1500;
const WIDEST_LINE = 120;
const LONGEST_BODY = 120;

const FUNCTION = /^create function ([\w.]+)\([^;$]*(\$\w*\$)([\s\S]*?)\2;/gm;

const files = readdirSync(SCHEMAS).map((name) => {
  const text = readFileSync(path.join(SCHEMAS, name), 'utf8');
  return { name, text, lines: text.trimEnd().split('\n') };
});

test('no file is long', () => {
  expect(files.filter(({ lines }) => lines.length > LONGEST_FILE).map(({ name }) => name)).toEqual(
    [],
  );
});

test('no line is wide', () => {
  const wide = files.flatMap(({ name, lines }) =>
    lines.flatMap((line, i) => (line.length > WIDEST_LINE ? [`${name}:${i + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

test('no function is long', () => {
  const bodies = files.flatMap(({ text }) =>
    [...text.matchAll(FUNCTION)].map(([, name, , body = '']) => ({
      name,
      lines: body.trim().split('\n').length,
    })),
  );
  expect(bodies.length).toBeGreaterThan(700);
  expect(bodies.filter(({ lines }) => lines > LONGEST_BODY)).toEqual([]);
});
