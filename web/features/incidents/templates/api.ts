import { incidentTemplatesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { recordHooks, withoutAuthor } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type Template, templateSchema, toTemplateColumns, toTemplateForm } from './schema.ts';
import type { TemplateSearch } from './search.ts';

const SELECTED = '*, sites(name)';

export const templates = recordHooks({
  table: 'incident_templates',
  key: incidentTemplatesKey,
  name: 'template',
  columns: SELECTED,
  schema: templateSchema,
  toForm: toTemplateForm,
  toColumns: toTemplateColumns,
  toNewRow: withoutAuthor,
  duplicate: 'A template with this title already exists there.',
});

/** Those of a site, with those of every site. */
function templatesQuery({ q = '', site }: Pick<TemplateSearch, 'q' | 'site'>) {
  let query = supabase().from('incident_templates').select(SELECTED, { count: 'exact' });
  if (site) query = query.or(`site_id.is.null,site_id.eq.${site}`);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.ilikeAllOf('title', patterns);
  return query.order('title').order('id').returns<Template[]>();
}

export const templateList = listQueries('templates', {
  key: incidentTemplatesKey,
  tables: 'incident_templates',
  filters: ['q', 'site'],
  rows: templatesQuery,
  columns: [
    { heading: 'Title', value: (row) => row.title },
    { heading: 'Site', value: (row) => row.sites?.name ?? 'Every site' },
    { heading: 'Category', value: (row) => INCIDENT_CATEGORY_LABELS[row.category] },
    { heading: 'Severity', value: (row) => STATUS_LABELS[row.severity] },
    { heading: 'Questions', value: (row) => row.questions },
  ],
});
