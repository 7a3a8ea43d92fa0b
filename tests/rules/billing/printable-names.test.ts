// Addressees have letters that invoices and letters can print.
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { printable } from '#shared/documents/printable.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

const save = (name: string) =>
  database.owner.query(
    `insert into clients (name, location, number_of_guards, monthly_rate) values ($1, 'Sinkor', 1, 1)`,
    [name],
  );

test.each(['Konsulat w Łodzi', 'سفارة المملكة المغربية', 'Посольство', 'Kpɛllɛ Ŋɔ', 'Café 🚨 “1”'])(
  'a client may be named %s',
  async (name) => {
    expect((await save(name)).rowCount).toBe(1);
  },
);

test.each(['中国大使馆', '대사관', 'ひらがな', 'שגרירות', 'दूतावास', 'ኤምባሲ', 'ꕙꔤ'])(
  'a client named %s is refused, with the letter',
  async (name) => {
    await expect(save(name)).rejects.toThrow(
      `Invoices and letters can't print "${name.charAt(0)}". Use Latin, Greek, Cyrillic or Arabic letters.`,
    );
  },
);

test.each([
  `insert into sites (name, client_name, address) values ('中国大使馆', 'Embassy', 'Sinkor')`,
  `with place as (insert into sites (name, client_name, address) values ('Gate', 'Embassy', 'Sinkor') returning id)
   insert into posts (site_id, name) select id, '中门' from place`,
])('neither may a site or post, which lines of invoices name: %s', async (sql) => {
  await expect(database.owner.query(sql)).rejects.toThrow(`can't print "中"`);
});

test('a name that was stored before is refused only when it changes', async () => {
  const { owner } = database;
  await owner.query(
    `begin; set local session_replication_role = replica;
     insert into clients (name, location, number_of_guards, monthly_rate) values ('中国', 'Sinkor', 1, 1); commit`,
  );
  const change = (set: string) => owner.query(`update clients set ${set} where name = '中国'`);
  expect((await change('number_of_guards = 2')).rowCount).toBe(1);
  await expect(change(`name = '中文'`)).rejects.toThrow('can\'t print "中"');
});

test('no letter that the fonts have is refused', async () => {
  const letters = Array.from({ length: 0xffff }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => /\p{L}/u.test(letter) && letter === letter.normalize('NFC'),
  );
  const { rows } = await database.owner.query<{ letter: string }>(
    'select letter from unnest($1::text[]) letter where private.unprintable(letter) is not null',
    [letters],
  );
  expect(rows.length).toBeGreaterThan(30_000);
  expect(rows.filter(({ letter }) => printable(letter, true) !== '?')).toEqual([]);
});
