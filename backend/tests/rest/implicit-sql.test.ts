// What a write to a table runs besides its own statement decides which settings are made for it, and undone after it.
import { beforeAll, expect, it } from 'vitest';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { testServer } from '#tests/support/server.ts';

let rest: Rest;

/** A table whose rows say who asked. */
const table = (name: string, more = ''): string =>
  `create table public.${name} (id int primary key, asker text ${more}); grant all on public.${name} to anon;`;
const trigger = (on: string, body: string, event = 'before insert'): string => `
  create function public.${on}_fires() returns trigger language plpgsql as $$ begin ${body} return new; end $$;
  create trigger fires ${event} on public.${on} for each row execute function public.${on}_fires();`;

const READ = `current_setting('request.headers', true)::json ->> 'x-me'`;
/** The analysis can't see what this reads. */
const HIDDEN = `current_setting(replace('request-headers', '-', '.'), true)`;

beforeAll(async () => {
  // One connection, so that each request has the session of the one before.
  const server = await testServer({ PGRST_DB_POOL: '1' });
  await server.database.owner.query(`
    create function public.name_of_caller() returns text language sql stable as $$ select ${READ} $$;
    ${table('direct')} ${trigger('direct', `new.asker := ${READ};`)}
    ${table('helped')} ${trigger('helped', 'new.asker := public.name_of_caller();')}
    ${table('usual', 'default public.name_of_caller()')}
    ${table('logged')} ${trigger('logged', 'insert into public.direct (id) values (new.id);', 'after insert')}
    ${table('dynamic')} ${trigger('dynamic', `execute format('select %I()', 'name_of_' || 'caller') into new.asker;`)}
    create table public.parted (id int primary key, asker text) partition by range (id);
    create table public.part partition of public.parted default;
    grant all on public.parted to anon;
    ${trigger('part', `new.asker := ${READ};`)}
    ${table('parent')}
    create table public.child (parent_id int references public.parent on delete cascade);
    create table public.farewell (asker text); grant all on public.farewell, public.child to anon;
    create function public.leave() returns trigger language plpgsql as $$ begin
      insert into public.farewell values (${READ}); return old; end $$;
    create trigger leave after delete on public.child for each row execute function public.leave();
    ${table('plain')} ${trigger('plain', `new.asker := coalesce(nullif(${HIDDEN}, ''), 'nobody');`)}
    ${table('leaving')} ${trigger('leaving', `perform set_config('app.left', 'something', false);`)}
    create function public.left_behind() returns text language sql stable
      as $$ select coalesce(current_setting('app.left', true), '') $$;
    grant execute on function public.left_behind, public.name_of_caller to anon`);
  rest = restOf(server);
  // A name missing from the schema cache triggers a reload.
  await rest('GET', '/direct');
});

const insert = async (name: string, id: number): Promise<unknown> =>
  (
    await rest('POST', `/${name}`, {
      headers: { prefer: 'return=representation', 'x-me': 'Comfort' },
      body: { id },
    })
  ).json();

it.each([
  ['a trigger', 'direct', 1],
  ['a function that a trigger calls', 'helped', 1],
  ['a default', 'usual', 1],
  ['a statement that is text until it runs', 'dynamic', 1],
  ['a trigger of the partition', 'parted', 1],
])('%s reads the headers of a request', async (_what, name, id) => {
  expect(await insert(name, id)).toEqual([{ id, asker: 'Comfort' }]);
});

it('a trigger of a table that a trigger writes to reads the headers of a request', async () => {
  await insert('logged', 2);
  expect((await rest('GET', '/direct?id=eq.2')).json()).toEqual([{ id: 2, asker: 'Comfort' }]);
});

it('a trigger of a table that a deletion cascades to reads the headers of a request', async () => {
  await rest('POST', '/parent', { body: { id: 1 } });
  await rest('POST', '/child', { body: { parent_id: 1 } });
  await rest('DELETE', '/parent?id=eq.1', { headers: { 'x-me': 'Comfort' } });
  expect((await rest('GET', '/farewell')).json()).toEqual([{ asker: 'Comfort' }]);
});

it('a write that reads no headers is not given any', async () => {
  expect(await insert('plain', 1)).toEqual([{ id: 1, asker: 'nobody' }]);
});

it('session settings of a trigger are undone', async () => {
  await insert('leaving', 1);
  expect((await rest('GET', '/rpc/left_behind')).json()).toBe('');
});
