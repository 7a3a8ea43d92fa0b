// Whether a page costs the same in a small and a large table, and deep in the list as at its top.

import { median } from '../support/report.mjs';
import { load } from './run-load.mjs';

const SIZES = { small: 1_000, large: 1_000_000 };
const ROUNDS = 5;
const RUN_MS = 700;

const path = (name) => `/rest/v1/bench_${name}?select=id,at,note&order=at.desc,id.desc&limit=50`;

/** A keyset page 90 % down the list. */
const below = ({ at, id }) =>
  `&at=lte.${encodeURIComponent(at)}&or=(at.lt."${encodeURIComponent(at)}",id.lt.${id})`;

async function fill(ask, name, rows) {
  await ask('query', {
    text: `create table public.bench_${name} (
        id bigint primary key, owner uuid not null, at timestamptz not null, note text not null);
      insert into public.bench_${name}
        select n, gen_random_uuid(), timestamptz '2020-01-01' + n * interval '1 minute', 'Round ' || n
        from generate_series(1, ${rows}) n;
      create index on public.bench_${name} (at desc, id desc);
      alter table public.bench_${name} enable row level security;
      create policy "Signed in" on public.bench_${name} for select to authenticated
        using ((select auth.uid()) is not null);
      grant select on public.bench_${name} to authenticated;
      analyze public.bench_${name}`,
  });
  const [last] = await ask('query', {
    text: `select to_json(at) #>> '{}' as at, id from public.bench_${name} order by at desc, id desc
      offset ${Math.floor(rows * 0.9)} limit 1`,
  });
  return last;
}

/** @returns {Promise<{ small: number, large: number, deep: number }>} milliseconds, medians, one request at a time */
export async function growth({ ask, port, token }) {
  await fill(ask, 'small', SIZES.small);
  const deep = await fill(ask, 'large', SIZES.large);
  const pages = { small: path('small'), large: path('large'), deep: path('large') + below(deep) };
  const times = { small: [], large: [], deep: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, page] of Object.entries(pages)) {
      const requests = [{ method: 'GET', path: page }];
      const run = await load({ port, connections: 1, token, requests, ms: RUN_MS });
      times[name].push(run.median);
    }
  }
  return { small: median(times.small), large: median(times.large), deep: median(times.deep) };
}
