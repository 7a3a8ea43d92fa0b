// Settings of the data service: schemas, the row limit, and settings in the database.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ConfiguredRest, configuredRest } from '#tests/support/configured-rest.ts';
import { restOf } from '#tests/support/rest.ts';

const prepared = configuredRest();
let server: ConfiguredRest['server'];
let rest: ConfiguredRest['rest'];
let get: ConfiguredRest['get'];

beforeAll(() => {
  ({ server, rest, get } = prepared());
});

describe('a schema', () => {
  const odd = `/${encodeURIComponent('Odd Table')}`;
  const door = { 'accept-profile': 'Second Door' };

  it('is chosen by Accept-Profile and returned as Content-Profile', async () => {
    const answer = await get(
      `${odd}?select=${encodeURIComponent('"The Id",w:"wei\\"rd",size->wide')}&order="The Id"`,
      door,
    );
    expect(answer.body).toEqual([
      { 'The Id': 1, w: 'a', wide: 3 },
      { 'The Id': 2, w: 'b', wide: null },
    ]);
    expect(answer.headers.get('content-profile')).toBe('Second Door');
    const filtered = await get(`${odd}?${encodeURIComponent('"The Id"')}=eq.2&select=film`, door);
    expect(filtered.body).toEqual([{ film: null }]);
  });

  it('is first in the search path', async () => {
    expect((await get('/rpc/where_am_i', door)).body).toBe('"Second Door", "public", "extensions"');
  });

  it('for writes is chosen by Content-Profile', async () => {
    const headers = { 'content-profile': 'Second Door', prefer: 'return=representation' };
    const body = { 'The Id': 3, 'wei"rd': 'c', size: { wide: 1, high: 2 } };
    const made = await rest('POST', odd, { headers, body });
    expect([made.status, made.json()]).toEqual([201, [{ ...body, film: null }]]);
    const gone = await rest('DELETE', `${odd}?"The Id"=eq.3`, { headers });
    expect(gone.json()).toHaveLength(1);
  });

  it('that is not exposed is rejected', async () => {
    const answer = await get('/users', { 'accept-profile': 'auth' });
    expect([answer.status, answer.body]).toEqual([
      406,
      {
        code: 'PGRST106',
        message: 'Invalid schema: auth',
        details: null,
        hint: 'Only the following schemas are exposed: public, Second Door',
      },
    ]);
  });
});

describe('max_rows', () => {
  it.each([
    ['/films?select=id&order=id', {}, 3, '0-2/*', 200],
    ['/films?select=id&order=id&limit=4', {}, 3, '0-2/*', 200],
    ['/films?select=id&limit=2', {}, 2, '0-1/*', 200],
    ['/films?select=id', { prefer: 'count=exact' }, 3, '0-2/5', 206],
    ['/rpc/years', {}, 3, '0-2/*', 200],
  ])('limits %s %j', async (path, headers, length, range, status) => {
    const answer = await get(path, headers as Record<string, string>);
    expect(answer.body).toHaveLength(length);
    expect([answer.headers.get('content-range'), answer.status]).toEqual([range, status]);
  });

  it('turns an exact count into an estimate above the limit', async () => {
    await server.database.owner.query(`
      create table public.many as select n from generate_series(1, 5000) n; analyze public.many; grant select on public.many to anon`);
    const estimated = await get('/many?limit=1', { prefer: 'count=estimated' });
    expect(estimated.headers.get('content-range')).toBe('0-0/5000');
    const planned = await get('/many?limit=1', { prefer: 'count=planned' });
    expect(planned.headers.get('content-range')).toBe('0-0/5000');
    const few = await get('/films?id=lt.3', { prefer: 'count=estimated' });
    expect(few.headers.get('content-range')).toBe('0-1/2');
  });

  it("does not let an estimate reveal rows that the caller can't read", async () => {
    await server.database.owner.query(`
      create table public.secrets as select n from generate_series(1, 5000) n; analyze public.secrets;
      alter table public.secrets enable row level security;
      create policy "Two" on public.secrets for select using (n <= 2);
      create view public.shown_secrets with (security_invoker) as select n from public.secrets;
      create view public.own_secrets as select n from public.secrets where n <= length(current_setting('request.jwt.claims'))
        and auth.uid() is not null;
      create table public.holders as select n from generate_series(1, 2000) n; analyze public.holders;
      alter table public.secrets add primary key (n);
      alter table public.holders add foreign key (n) references public.secrets (n);
      grant select on public.secrets, public.shown_secrets, public.own_secrets, public.holders to anon`);
    const ranges = await Promise.all(
      [
        '/secrets?limit=1',
        '/shown_secrets?limit=1',
        '/own_secrets?limit=1',
        '/holders?select=n,secrets!inner(n)&limit=1',
      ].flatMap((path) =>
        ['planned', 'estimated'].map(async (count) => {
          const { headers } = await get(path, { prefer: `count=${count}` });
          return headers.get('content-range');
        }),
      ),
    );
    expect(ranges).toEqual(['0-0/2', '0-0/2', '0-0/2', '0-0/2', '*/0', '*/0', '0-0/2', '0-0/2']);
  });

  it('does not limit the representation of a write', async () => {
    const body = [1, 2, 3, 4, 5].map((id) => ({ id: id + 10, name: `actor ${id}` }));
    const made = await rest('POST', '/actors', {
      headers: { prefer: 'return=representation' },
      body,
    });
    expect(made.json()).toEqual(body);
    await rest('DELETE', '/actors?id=gt.10');
  });
});

describe('in-database configuration', () => {
  const keep = async (text: string) => {
    const { owner, connection } = server.database;
    await owner.query(text.replaceAll(':db', connection.database ?? ''));
    await owner.query(`notify pgrst, 'reload config'`);
    // An unknown name triggers a check for newer settings.
    await get('/nobody');
  };

  it('limits the statement time of a role', async () => {
    await keep(`create function public.dawdle() returns text language plpgsql as $$
        begin perform pg_sleep(10); return 'done'; end $$;
      create function public.patience() returns text language sql as $$ select current_setting('statement_timeout') $$;
      grant execute on function public.dawdle, public.patience to anon, service_role`);
    expect((await rest('POST', '/rpc/patience')).json()).toBe('3s');
    const asServer = restOf(server, server.context.keys.serviceKey);
    expect((await asServer('POST', '/rpc/patience')).json()).toBe('8s');
    await keep(`alter role anon in database :db set statement_timeout = '100ms'`);
    const answer = await rest('POST', '/rpc/dawdle');
    expect([answer.status, answer.json()]).toMatchObject([
      500,
      { code: '57014', message: 'canceling statement due to statement timeout' },
    ]);
    await keep('alter role anon in database :db reset statement_timeout');
  });

  it('gives a function the statement time that it asks for', async () => {
    await keep(`create function public.slow_work() returns text language plpgsql set statement_timeout = '20s' as $$
        begin perform pg_sleep(0.4); return current_setting('statement_timeout'); end $$;
      create function public.quick_work() returns text language plpgsql set statement_timeout = '50ms' as $$
        begin perform pg_sleep(10); return 'done'; end $$;
      grant execute on function public.slow_work, public.quick_work to anon;
      alter role anon in database :db set statement_timeout = '200ms'`);
    // Longer than the role's limit, and shorter; the next request of the connection has the role's again.
    expect((await rest('POST', '/rpc/slow_work')).json()).toBe('20s');
    expect((await rest('POST', '/rpc/quick_work')).json()).toMatchObject({ code: '57014' });
    expect((await rest('POST', '/rpc/patience')).json()).toBe('200ms');
    expect((await rest('POST', '/rpc/dawdle')).json()).toMatchObject({ code: '57014' });
    await keep('alter role anon in database :db reset statement_timeout');
  });

  it('gives functions the settings of the application', async () => {
    await keep(`create function public.app_setting(name text) returns text language sql stable
        as $$ select current_setting('app.settings.' || name, true) $$;
      grant execute on function public.app_setting to anon`);
    expect((await get('/rpc/app_setting?name=tenant')).body).toBe('north');
  });

  it('can name a pre-request function', async () => {
    await keep(`create function public.gate() returns void language plpgsql as $$ begin
        if current_setting('request.headers')::json ->> 'x-closed' = 'yes' then
          raise sqlstate 'PT423' using message = 'closed';
        end if; end $$;
      grant execute on function public.gate to anon;
      alter role authenticator in database :db set pgrst.db_pre_request = 'public.gate'`);
    expect((await get('/actors?select=id&id=eq.1')).body).toEqual([{ id: 1 }]);
    const closed = await get('/actors', { 'x-closed': 'yes' });
    expect([closed.status, closed.body]).toMatchObject([423, { message: 'closed' }]);
    await keep('alter role authenticator in database :db reset pgrst.db_pre_request');
  });
});
