import { z } from 'zod';
import { supabase } from '#web/lib/supabase/client.ts';
import { download } from './download.ts';
import { FORMULA } from './formula-guard.ts';
import { type ZipFile, zip } from './zip.ts';

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

async function filesOf(data: PersonExport): Promise<ZipFile[]> {
  const { unparse } = (await import('papaparse')).default;
  const encoder = new TextEncoder();
  return [
    { name: 'data.json', bytes: encoder.encode(JSON.stringify(data, null, 2)) },
    ...Object.entries(data.tables).map(([name, rows]) => {
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      const text = unparse(
        { fields: columns, data: rows.map((row) => columns.map((column) => cellOf(row[column]))) },
        { escapeFormulae: FORMULA },
      );
      return { name: `tables/${name}.csv`, bytes: encoder.encode(`\uFEFF${text}`) };
    }),
  ];
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
  download(`personal-data-${exported.made_at.slice(0, 10)}.zip`, zip(await filesOf(exported)));
  return exported.cut;
}
