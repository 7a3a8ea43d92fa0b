// 64 users of all roles on four connections: no request sees or inherits anything of another.
import type { SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

const SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long';
const PEOPLE = 64;
/** Requests per user. */
const TURNS = 150;

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ JWT_SECRET: SECRET, PGRST_DB_POOL: '4', LOG_LEVEL: 'silent' });
  const { owner } = server.database;
  await createFilms(owner);
  await owner.query(`
    grant select on public.notes to anon, service_role;
    create function public.me() returns json language sql stable as $$ select json_build_object(
      'sub', auth.uid(), 'role', current_user, 'claimed', auth.role(),
      'header', current_setting('request.headers', true)::json ->> 'x-me',
      'left', nullif(current_setting('app.left', true), ''), 'zone', current_setting('timezone'),
      'timeout', current_setting('statement_timeout')) $$;
    create function public.leave(what text) returns void language plpgsql as $$ begin
      perform set_config('app.left', what, true); end $$;
    create function public.fall(what text) returns void language plpgsql as $$ begin
      perform set_config('app.left', what, true);
      perform set_config('timezone', 'Asia/Tokyo', true);
      raise exception 'fallen' using errcode = 'PT409'; end $$;`);
});

interface Person {
  id: string;
  role: 'authenticated' | 'anon' | 'service_role';
  client: SupabaseClient;
}

async function someone(number: number): Promise<Person> {
  const id = crypto.randomUUID();
  const role = number % 8 === 6 ? 'anon' : number % 8 === 7 ? 'service_role' : 'authenticated';
  const claims = role === 'anon' ? { role } : { role, sub: id };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET));
  if (role === 'authenticated') {
    const sql = 'insert into public.notes (owner, body) values ($1, $2)';
    await server.database.owner.query(sql, [id, `of ${id}`]);
  }
  return { id, role, client: server.client(token) };
}

/** What each role can read: own notes, none, all. */
async function readNotes({ id, role, client }: Person, total: number): Promise<string | undefined> {
  const { data, error } = await client.from('notes').select('owner, body');
  if (error !== null) return error.message;
  if (role === 'service_role') return data.length >= total ? undefined : `only ${data.length}`;
  if (role === 'anon') return data.length === 0 ? undefined : 'a visitor sees notes';
  const isOwn = data.length === 1 && data[0]?.owner === id;
  return isOwn ? undefined : `notes of others: ${JSON.stringify(data)}`;
}

async function beOneself({ id, role, client }: Person): Promise<string | undefined> {
  const { data, error } = await client.rpc('me', {}, { get: true }).setHeader('x-me', id);
  if (error !== null) return error.message;
  const wanted = { sub: role === 'anon' ? null : id, role, claimed: role, header: id, left: null };
  const { zone, timeout, ...seen } = data;
  const isSame = JSON.stringify(seen) === JSON.stringify(wanted);
  return isSame && zone !== 'Asia/Tokyo' ? undefined : `other caller: ${JSON.stringify(data)}`;
}

async function rewrite({ id, role, client }: Person): Promise<string | undefined> {
  if (role !== 'authenticated') return undefined;
  const { data, error } = await client
    .from('notes')
    .update({ body: `of ${id}` })
    .neq('body', 'x')
    .select('owner');
  if (error !== null) return error.message;
  return data.length === 1 && data[0]?.owner === id ? undefined : 'changed notes of others';
}

async function stumble({ id, client }: Person, turn: number): Promise<string | undefined> {
  const { error } =
    turn % 2 === 0
      ? await client.rpc('fall', { what: id })
      : await client.from('notes').select('id').eq('id', 'x');
  return error === null ? 'what must fail did not' : undefined;
}

it('thousands of concurrent requests stay isolated', async () => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, at) => someone(at)));
  const total = people.filter(({ role }) => role === 'authenticated').length;
  const wrong: string[] = [];
  let asked = 0;
  const live = async (person: Person, number: number): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const kind = (turn + number) % 5;
      const found =
        kind === 0
          ? await beOneself(person)
          : kind === 1
            ? await stumble(person, turn)
            : kind === 2
              ? await rewrite(person)
              : kind === 3
                ? (await person.client.rpc('leave', { what: person.id })).error?.message
                : await readNotes(person, total);
      asked += 1;
      if (found !== undefined) wrong.push(`${person.role}, turn ${turn}: ${found}`);
    }
  };
  await Promise.all(people.map(live));
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(asked).toBe(PEOPLE * TURNS);
  const { rows } = await server.database.owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and usename = 'authenticator'`,
  );
  expect(rows[0]?.count).toBeLessThanOrEqual(4);
}, 120_000);
