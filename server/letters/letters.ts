// Mails letters about incidents to clients once they are stored.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { layOut } from 'supabase-in-node/mail-layout';
import { MailQueue } from 'supabase-in-node/mail-queue';
import { company } from '#company';
import { type Letter, letterMessage } from './message.ts';

export function letters({ database, mailer }: Context): FastifyPluginAsync {
  return async (app) => {
    const { rows } = await database.owner.query<{ known: boolean }>(
      `select to_regclass('private.letter_mails') is not null as known`,
    );
    // Another project served from PROJECT_DIR has no letters.
    if (!rows[0]?.known) return;
    const mails = new MailQueue<Letter>(
      {
        pool: database.owner,
        table: 'private.letter_mails',
        key: 'letter_id',
        columns: `l.id, l.incident_id, l.version, l.addressee, l.email, l.subject, l.summary, l.actions, l.signatory,
          l.signatory_title, l.facts ->> 'site' as site, l.facts ->> 'reported_by' as reported_by`,
        join: 'join public.incident_letters l on l.id = taken.letter_id',
        send: async (letter) => {
          const sent = await mailer.send({
            ...layOut(letter.email, letterMessage(letter), company),
            replyTo: { name: company.name, address: company.email },
          });
          await database.owner.query(
            'update public.incident_letters set mailed_at = now() where id = $1',
            [letter.id],
          );
          return sent;
        },
      },
      app.log,
    );
    app.addHook('onReady', async () => mails.start());
    app.addHook('onClose', () => mails.stop());
  };
}
