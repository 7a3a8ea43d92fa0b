// The data service with a second schema, a row limit of 3 and aggregates enabled.
import { beforeAll } from 'vitest';
import { createFilms } from './films.ts';
import { type Answer, type Rest, restOf } from './rest.ts';
import { type TestServer, testServer } from './server.ts';

export interface ConfiguredRest {
  server: TestServer;
  /** Anonymous requests. */
  rest: Rest;
  get(path: string, headers?: Record<string, string>): Promise<Answer & { body: unknown }>;
}

/** @returns what the tests of a file share; set in `beforeAll` */
export function configuredRest(): () => ConfiguredRest {
  let made: ConfiguredRest | undefined;
  beforeAll(async () => {
    const server = await testServer({
      PGRST_DB_SCHEMAS: 'public, Second Door',
      PGRST_DB_MAX_ROWS: '3',
      PGRST_DB_AGGREGATES_ENABLED: 'true',
      PGRST_APP_SETTINGS_TENANT: 'north',
    });
    await createFilms(server.database.owner);
    await server.database.owner.query(`
      create schema "Second Door";
      create type "Second Door".size as (wide int, high int);
      create table "Second Door"."Odd Table" (
        "The Id" int primary key, "wei""rd" text default 'x', size "Second Door".size, "film" int references public.films (id));
      comment on table "Second Door"."Odd Table" is 'Names nobody should choose';
      insert into "Second Door"."Odd Table" values (1, 'a', '(3,4)', 1), (2, 'b', null, null);
      create function "Second Door".where_am_i() returns text language sql stable as $$ select current_setting('search_path') $$;
      grant usage on schema "Second Door" to anon; grant all on all tables in schema "Second Door" to anon;
      create function public.newest_film(public.directors) returns setof public.films rows 1 language sql stable
        as $$ select * from public.films where director_id = $1.id order by year desc limit 1 $$;
      create function public.long_films(public.directors) returns setof public.films language sql stable
        as $$ select * from public.films where director_id = $1.id and length_minutes > 110 order by id $$;
      grant execute on function public.newest_film, public.long_films to anon`);
    const rest = restOf(server);
    // A name missing from the schema cache triggers a reload; the description at the root does not.
    await rest('GET', '/films');
    made = {
      server,
      rest,
      get: async (path, headers = {}) => {
        const answer = await rest('GET', path, { headers });
        return { ...answer, body: answer.text === '' ? undefined : answer.json() };
      },
    };
  });
  return () => {
    if (made === undefined) throw new Error('The server has not started.');
    return made;
  };
}
