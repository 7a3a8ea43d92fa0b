// Mails to people outside the company, each kind with a queue of its own in the database.
import type { FastifyPluginAsync } from 'fastify';
import type { QueryResultRow } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { layOut, type Message } from 'supabase-in-node/mail-layout';
import { MailQueue, type Waiting } from 'supabase-in-node/mail-queue';
import { hasTable } from 'supabase-in-node/with-client';
import { company } from '#company';
import { withFonts } from '#shared/documents/wide-font.ts';

type File = { filename: string; content: Buffer; contentType: string };

type Paper = { lacksFont: boolean; pdf: { output(type: 'arraybuffer'): ArrayBuffer } };

/** @param draw imports its library, with the first mail: it takes memory that most servers never need */
export async function pdfFile(filename: string, draw: () => Paper): Promise<File> {
  const { pdf } = await withFonts(draw);
  return {
    filename,
    content: Buffer.from(pdf.output('arraybuffer')),
    contentType: 'application/pdf',
  };
}

type Queued<Row extends QueryResultRow> = Omit<Waiting<Row>, 'pool' | 'send'> & {
  /** @returns undefined if there is nothing to say any more */
  mailOf(row: Row): Promise<QueuedMail | undefined> | QueuedMail;
};

type QueuedMail = {
  to: string;
  message: Message;
  files?: File[];
  /** The record whose `mailed_at` says that it was sent. */
  record?: { table: string; id: string };
};

/** Sends what waits in the queue; nothing where another project served from PROJECT_DIR has no such table. */
export function clientMails<Row extends QueryResultRow>(
  { database, mailer }: Pick<Context, 'database' | 'mailer'>,
  { mailOf, ...queue }: Queued<Row>,
): FastifyPluginAsync {
  const pool = database.owner;
  return async (app) => {
    if (!(await hasTable(pool, queue.table))) return;
    const mails = new MailQueue<Row>(
      {
        ...queue,
        pool,
        send: async (row) => {
          const mail = await mailOf(row);
          if (!mail) return {};
          const { to, message, files, record } = mail;
          const sent = await mailer.send({
            ...layOut(to, message, company),
            replyTo: { name: company.name, address: company.email },
            ...(files && { attachments: files }),
          });
          if (record) {
            await pool.query(`update ${record.table} set mailed_at = now() where id = $1`, [
              record.id,
            ]);
          }
          return sent;
        },
      },
      app.log,
    );
    app.addHook('onReady', async () => mails.start());
    app.addHook('onClose', () => mails.stop());
  };
}
