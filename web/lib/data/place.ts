/** A site, or all sites of a client: what a page of one of them shows. */
export type Place = { kind: 'site' | 'client'; id: string };

/**
 * The filter of a table with the column `site_id`, whose query embeds `sites!inner(...)`.
 * @returns column and value
 */
export const ofPlace = ({ kind, id }: Place) =>
  [kind === 'site' ? 'site_id' : 'sites.client_id', id] as const;
