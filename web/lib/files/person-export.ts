import { z } from 'zod';
import { supabase } from '#web/lib/supabase/client.ts';
import { download } from './download.ts';
import { FORMULA } from './formula-guard.ts';

const exportSchema = z.object({
  made_at: z.string(),
  person: z.string(),
  /** Tables of which only the newest rows are included. */
  cut: z.array(z.string()),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});
type PersonExport = z.infer<typeof exportSchema>;

const cellOf = (value: unknown) => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** @returns a ZIP file */
export async function archivePerson(data: PersonExport): Promise<Blob> {
  const { unparse } = (await import('papaparse')).default;
  const { downloadZip } = await import('client-zip');
  return downloadZip([
    { name: 'data.json', input: JSON.stringify(data, null, 2) },
    ...Object.entries(data.tables).map(([name, rows]) => {
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      const text = unparse(
        { fields: columns, data: rows.map((row) => columns.map((column) => cellOf(row[column]))) },
        { escapeFormulae: FORMULA },
      );
      return { name: `tables/${name}.csv`, input: `\uFEFF${text}` };
    }),
  ]).blob();
}

/**
 * Downloads everything about a person as one ZIP file.
 * @param id of the account or staff record; undefined for the user's own
 * @returns the tables that were cut
 */
export async function downloadPerson(id: string | undefined): Promise<string[]> {
  const { data } = await supabase()
    .rpc('export_person', id === undefined ? {} : { p_user_id: id })
    .throwOnError();
  const exported = exportSchema.parse(data);
  download(`personal-data-${exported.made_at.slice(0, 10)}.zip`, await archivePerson(exported));
  return exported.cut;
}
