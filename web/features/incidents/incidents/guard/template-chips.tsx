import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { ReportForm } from './report-schema.ts';

/** More than a site and its company have; a guard sees the first. */
const MAX_TEMPLATES = 1000;
const SHOWN = 6;

/** Prefetched by the home screen, as the sites are. */
export const templatesQuery = queryOptions({
  queryKey: ['report-templates'],
  queryFn: async () => {
    const { data } = await supabase()
      .from('incident_templates')
      .select('id, site_id, title, category, severity, questions')
      .order('title')
      .limit(MAX_TEMPLATES)
      .throwOnError();
    return data;
  },
  meta: PERSISTED,
});

/** What happens often at the chosen site, its own first. A tap fills what the guard hasn't written. */
export function TemplateChips({ form }: { form: UseFormReturn<ReportForm> }) {
  const { data = [] } = useQuery(templatesQuery);
  const site = form.watch('site_id');
  const offered = [
    ...data.filter(({ site_id }) => site_id === site),
    ...data.filter(({ site_id }) => site_id === null),
  ].slice(0, SHOWN);
  const isOf = (text: string) => data.some(({ questions }) => questions === text.trim());
  if (offered.length === 0) return null;

  function use({ title, category, severity, questions }: (typeof offered)[number]) {
    const change = { shouldDirty: true, shouldTouch: true } as const;
    form.setValue('title', title, change);
    form.setValue('category', category, change);
    form.setValue('severity', severity, change);
    const written = form.getValues('description').trim();
    if (written === '' || isOf(written)) form.setValue('description', questions, change);
    form.clearErrors();
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">
        What happened? <span className="font-normal text-muted">(optional)</span>
      </legend>
      <ul className="flex flex-wrap gap-2">
        {offered.map((template) => (
          <li key={template.id}>
            <button
              type="button"
              aria-pressed={form.watch('title') === template.title}
              onClick={() => use(template)}
              className="min-h-11 rounded-full border border-line-strong px-4 text-sm font-semibold hover:border-ink/60 aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:text-primary-ink"
            >
              {template.title}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
