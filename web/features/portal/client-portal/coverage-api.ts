import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { portal } from './backend.ts';

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
      const { data } = await portal()
        .rpc('client_coverage', { from, to }, { get: true })
        .throwOnError();
      return coverageSchema.parse(data);
    },
  });
