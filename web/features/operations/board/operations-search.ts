import {
  defineSearch,
  oneOf,
  type SearchOf,
  searchText,
  textUpTo,
  uuid,
} from '#web/lib/data/search-fields.ts';

/** From the gravest, as the board sorts its rows. */
export const SEAT_STATES = [
  'sos',
  'missing',
  'empty',
  'left_early',
  'no_signal',
  'late',
  'unconfirmed',
  'due',
  'on_post',
] as const;

const text = textUpTo(300);

export const operationsSearch = defineSearch({
  /** Id of the shift whose details are open. */
  open: uuid,
  /** Id of the alert that the list scrolls to. */
  alert: uuid,
  q: searchText,
  state: oneOf(SEAT_STATES),
  /** By name. */
  client: text,
  supervisor: text,
  /** Name of a county, or of a region of the company. */
  region: text,
  /** Ids of sites chosen on the map, separated by commas. */
  sites: textUpTo(4_000),
});
export type OperationsSearch = SearchOf<typeof operationsSearch>;
