// Mails letters about incidents to clients once they are stored.
import type { Context } from 'supabase-in-node/context';
import { clientMails } from '../client-mails.ts';
import { type Letter, letterMessage } from './message.ts';

export const letters = (context: Context) =>
  clientMails<Letter>(context, {
    table: 'private.letter_mails',
    key: 'letter_id',
    columns: `l.id, l.incident_id, l.version, l.addressee, l.email, l.subject, l.summary, l.actions, l.signatory,
      l.signatory_title, l.facts ->> 'site' as site, l.facts ->> 'reported_by' as reported_by`,
    join: 'join public.incident_letters l on l.id = taken.letter_id',
    mailOf: (letter) => ({
      to: letter.email,
      message: letterMessage(letter),
      record: { table: 'public.incident_letters', id: letter.id },
    }),
  });
