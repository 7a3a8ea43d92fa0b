import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { INCIDENTS_CATEGORY, INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { choiceField, describedField, pickedSchema } from '#web/lib/form-fields/text-field.ts';

type Row = Database['public']['Tables']['incident_templates']['Row'];
export type Template = Row & { sites: { name: string } | null };

export const templateSchema = z.object({
  site: pickedSchema.optional(),
  title: describedField(
    'Title',
    limits.INCIDENT_TEMPLATES_TITLE_MIN,
    limits.INCIDENT_TEMPLATES_TITLE_MAX,
  ),
  category: choiceField(INCIDENTS_CATEGORY, 'Please select a category'),
  severity: choiceField(INCIDENTS_SEVERITY, 'Please select a severity'),
  questions: describedField(
    'The questions',
    limits.INCIDENT_TEMPLATES_QUESTIONS_MIN,
    limits.INCIDENT_TEMPLATES_QUESTIONS_MAX,
  ),
});
export type TemplateForm = z.infer<typeof templateSchema>;

const chosenSchema = templateSchema.extend({
  category: z.enum(INCIDENTS_CATEGORY),
  severity: z.enum(INCIDENTS_SEVERITY),
});

export const toTemplateForm = (row?: Template): TemplateForm => ({
  site: row?.site_id && row.sites ? { id: row.site_id, label: row.sites.name } : undefined,
  title: row?.title ?? '',
  category: row?.category ?? '',
  severity: row?.severity ?? '',
  questions: row?.questions ?? '',
});

export function toTemplateColumns(form: TemplateForm) {
  const { site, ...rest } = chosenSchema.parse(form);
  return { ...rest, site_id: site?.id ?? null };
}
