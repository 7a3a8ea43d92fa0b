// docs/rules.md names functions and files that exist.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { freshDatabase } from 'supabase-in-node/testing/database';
import { expect, test } from 'vitest';

const DOCS = path.resolve(import.meta.dirname, '../../docs');
const text = await readFile(path.join(DOCS, 'rules.md'), 'utf8');

test('each function is in the database, and defined in the file beside it', async () => {
  const named = [...text.matchAll(/`((?:private|public)\.\w+)` in \[[^\]]+\]\(([^)]+)\)/g)];
  expect(named.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const [, name = '', file = ''] of named) {
    const schema = await readFile(path.join(DOCS, file), 'utf8');
    if (!schema.includes(`create function ${name}(`)) wrong.push(`${name} is not in ${file}`);
  }
  expect(wrong).toEqual([]);

  const { owner } = await freshDatabase();
  const names = [...text.matchAll(/`((?:private|public)\.\w+)`/g)].map(([, name]) => name);
  const { rows } = await owner.query(
    `select n from unnest($1::text[]) n where not exists (
       select from pg_proc where pronamespace::regnamespace || '.' || proname = n)`,
    [names],
  );
  expect(rows).toEqual([]);
});

test('each linked file exists', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(path.join(DOCS, link)))).toEqual([]);
});
