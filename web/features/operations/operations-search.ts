import { z } from 'zod';

/** From the gravest, as the board sorts its rows. */
export const SEAT_STATES = [
  'sos',
  'missing',
  'empty',
  'left_early',
  'no_signal',
  'late',
  'due',
  'on_post',
] as const;

const text = z.string().max(300).optional().catch(undefined);

export const operationsSearch = z.object({
  /** Id of the shift whose details are open. */
  open: z.uuid().optional().catch(undefined),
  q: z.coerce.string().trim().max(200).optional().catch(undefined),
  state: z.enum(SEAT_STATES).optional().catch(undefined),
  /** By name. */
  client: text,
  supervisor: text,
  /** Name of a county, or of a region of the company. */
  region: text,
  /** Ids of sites chosen on the map, separated by commas. */
  sites: z.string().max(4_000).optional().catch(undefined),
});
export type OperationsSearch = z.infer<typeof operationsSearch>;
