// What the portal of clients reads: functions that return rows of the caller's own clients.
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Live changes don't reach contacts, who read no table. The open page notices an access that has ended within this time. */
const ACCESS_MS = 20_000;
const NOW_MS = 60_000;

/** The clients whose contact the caller is; empty once the access has ended. */
export const myClientsQuery = queryOptions({
  queryKey: [...clientPortalKey, 'clients'],
  queryFn: async () => (await supabase().rpc('my_clients').throwOnError()).data,
  refetchInterval: ACCESS_MS,
  refetchOnWindowFocus: 'always',
});

const guardsSchema = z.array(z.object({ name: z.string(), since: z.string() }));

async function fetchNow() {
  const { data } = await supabase().rpc('client_now').throwOnError();
  return data.map((row) => ({ ...row, guards: guardsSchema.parse(row.guards) }));
}
export type PostNow = Awaited<ReturnType<typeof fetchNow>>[number];

export const nowQuery = queryOptions({
  queryKey: [...clientPortalKey, 'now'],
  queryFn: fetchNow,
  refetchInterval: NOW_MS,
  refetchOnWindowFocus: 'always',
});

const minutes = {
  required: z.number(),
  worked: z.number(),
  uncovered: z.number(),
  late: z.number(),
  overstaffed: z.number(),
};
const coverageSchema = z.object({
  days: z.array(z.object({ day: z.string(), ...minutes })),
  posts: z.array(
    z.object({
      site_id: z.string(),
      site: z.string(),
      post_id: z.nullable(z.string()),
      post: z.nullable(z.string()),
      ...minutes,
    }),
  ),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** @param from first day, @param to last day, yyyy-MM-dd */
export const coverageQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...clientPortalKey, 'coverage', from, to],
    queryFn: async (): Promise<Coverage> => {
      const { data } = await supabase().rpc('client_coverage', { from, to }).throwOnError();
      return coverageSchema.parse(data);
    },
  });
