import { INCIDENTS_SEVERITY, INCIDENTS_STATUS } from '#shared/database.values.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import {
  day,
  defineSearch,
  either,
  oneOf,
  type SearchOf,
  uuid,
} from '#web/lib/data/search-fields.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';

/** `active`: open or investigating. */
export const STATUS_FILTERS = ['active', ...INCIDENTS_STATUS] as const;
export const STATUS_FILTER_LABELS = { ...STATUS_LABELS, active: 'Open or investigating' };

/** `me` is the user; `none` has no owner. */
export const OWNER_FILTERS = ['me', 'none'] as const;
/** `overdue`: open or investigating, and past the due time. */
const DUE_FILTERS = ['overdue'] as const;

/** The next step: review a report, answer a question, approve a letter, or catch up. */
export const QUEUES = ['review', 'returned', 'approve', 'late'] as const;
export type Queue = (typeof QUEUES)[number];

export const incidentSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(STATUS_FILTERS),
  severity: oneOf(INCIDENTS_SEVERITY),
  site: uuid,
  /** Id of the owner, or one of OWNER_FILTERS. */
  owner: either(oneOf(OWNER_FILTERS), uuid),
  queue: oneOf(QUEUES),
  due: oneOf(DUE_FILTERS),
  /** Reported from `from` to `to`, both inclusive; yyyy-MM-dd. */
  from: day,
  to: day,
  sort: sortField(['title', 'site', 'severity', 'status', 'due', 'reported']),
});
export type IncidentSearch = SearchOf<typeof incidentSearch>;
export type IncidentFilters = Omit<IncidentSearch, 'open' | 'page'>;
