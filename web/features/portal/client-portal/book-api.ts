import { queryOptions } from '@tanstack/react-query';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { readPostPage } from '#web/lib/reports/post-page.ts';
import { portal } from './backend.ts';

async function fetchPages() {
  const { data } = await portal().rpc('client_pages', undefined, { get: true }).throwOnError();
  return data;
}
export type ReleasedDay = Awaited<ReturnType<typeof fetchPages>>[number];

/** The newest first. */
export const pagesQuery = queryOptions({
  queryKey: [...clientPortalKey, 'pages'],
  queryFn: fetchPages,
});

/** A page never changes, except that visitors end with their period. */
export const pageQuery = (id: string) =>
  queryOptions({
    queryKey: [...clientPortalKey, 'pages', id],
    queryFn: async () => {
      const { data } = await portal()
        .rpc('read_page', { p_page_id: id }, { get: true })
        .throwOnError();
      return readPostPage(data);
    },
  });
