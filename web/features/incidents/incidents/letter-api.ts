import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import {
  INCIDENTS_CATEGORY,
  INCIDENTS_SEVERITY,
  INCIDENTS_STATUS,
} from '#shared/database.values.ts';
import { insertOnce } from '#web/lib/data/insert-once.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { LetterForm } from './letter-schema.ts';

/** Stored with the letter, as the incident was then. */
const factsSchema = z.object({
  site: z.string(),
  site_address: z.string(),
  timezone: z.string(),
  category: z.enum(INCIDENTS_CATEGORY),
  severity: z.enum(INCIDENTS_SEVERITY),
  status: z.enum(INCIDENTS_STATUS),
  reported_at: z.string(),
  /** Only if it was written without a signal and arrived later. */
  written_at: z.string().optional(),
  /** Only if that was not when it was reported. */
  happened_at: z.string().optional(),
  reported_by: z.string().optional(),
});

type Row = Database['public']['Tables']['incident_letters']['Row'];
type Sender = { full_name: string | null; email: string | null };
export type Letter = Omit<Row, 'facts'> & {
  facts: z.infer<typeof factsSchema>;
  sender: Sender | null;
  approver: Sender | null;
  acknowledgements: { contact_name: string; created_at: string }[];
};

const COLUMNS =
  '*, sender:profiles!incident_letters_sent_by_fkey(full_name, email), approver:profiles!incident_letters_approved_by_fkey(full_name, email), acknowledgements:letter_acknowledgements(contact_name, created_at)';

async function fetchLetters(incidentId: string): Promise<Letter[]> {
  const { data } = await supabase()
    .from('incident_letters')
    .select(COLUMNS)
    .eq('incident_id', incidentId)
    .order('version', { ascending: false })
    .throwOnError();
  return data.map((row) => ({ ...row, facts: factsSchema.parse(row.facts) }));
}

/** The newest version first. */
export const useLetters = (incidentId: string) =>
  useLiveQuery(['incident_letters', 'letter_acknowledgements'], incidentsKey, {
    queryKey: [...incidentsKey, 'letters', incidentId],
    queryFn: () => fetchLetters(incidentId),
  });

type NewLetter = { incidentId: string; id: string; form: LetterForm };

/** Stores a new version; the server mails it if it has an address. */
async function writeLetter({ incidentId, id, form }: NewLetter): Promise<Letter> {
  const row = {
    id,
    incident_id: incidentId,
    addressee: form.addressee,
    address: orNull(form.address),
    email: form.by_mail ? form.email : null,
    subject: form.subject,
    summary: form.summary,
    actions: orNull(form.actions),
    signatory: form.signatory,
    signatory_title: orNull(form.signatory_title),
    names_included: form.names_included,
    photo_ids: form.photo_ids,
  };
  const letters = () => supabase().from('incident_letters');
  const stored = () => letters().select(COLUMNS).eq('id', id);
  await insertOnce(row, {
    insert: () => letters().insert(row).throwOnError(),
    fetchStored: () => stored().maybeSingle().throwOnError(),
  });
  const { data } = await stored().single().throwOnError();
  return { ...data, facts: factsSchema.parse(data.facts) };
}

export const useWriteLetter = () => useChange(incidentsKey, writeLetter);
