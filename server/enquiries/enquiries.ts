// The contact form posted without JavaScript, and the mails to the company.
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { layOut, type Message } from 'supabase-in-node/mail-layout';
import { MailQueue } from 'supabase-in-node/mail-queue';
import { hasTable } from 'supabase-in-node/with-client';
import { z } from 'zod';
import { company } from '#company';
import { answerForm } from './answer-form.ts';

/** @param webDir the built web app */
export function enquiries(webDir: string, context: Context): FastifyPluginAsync {
  return async (app) => {
    // Another project served from PROJECT_DIR has no contact form.
    if (!(await hasTable(context.database.owner, 'private.enquiry_mails'))) return;
    const mails = enquiryMails(context, app.log);
    app.addHook('onReady', async () => mails.start());
    app.addHook('onClose', () => mails.stop());
    await app.register(answerForm(webDir, context));
  };
}

interface Enquiry {
  id: string;
  name: string;
  email: string;
  company: string | null;
  message: string;
}

/** @param siteUrl the public address, without a trailing slash */
function enquiryMessage(enquiry: Enquiry, siteUrl: string): Message {
  const { id, name, email, company, message } = enquiry;
  const who = company === null ? name : `${name} (${company})`;
  return {
    // A header must be one line.
    subject: `Enquiry from ${who}`.replace(/\p{Cc}+/gu, ' '),
    heading: `Enquiry from ${who}`,
    paragraphs: [
      ...message.split(/\n+/).filter((line) => line.trim() !== ''),
      `Reply to this mail to answer ${email}.`,
    ],
    button: { label: 'Open the enquiry', link: `${siteUrl}/admin/enquiries?open=${id}` },
    closing: 'It was sent with the contact form of the public site.',
  };
}

/** Mails each new enquiry to the company once it is stored. */
function enquiryMails(
  { database, mailer, siteUrl }: Context,
  log: FastifyBaseLogger,
): MailQueue<Enquiry> {
  return new MailQueue<Enquiry>(
    {
      pool: database.owner,
      table: 'private.enquiry_mails',
      key: 'enquiry_id',
      columns: 'c.id, c.name, c.email, c.company, c.message',
      join: 'join public.contact_messages c on c.id = taken.enquiry_id',
      send: (enquiry) => {
        const isAddress = z.email().safeParse(enquiry.email).success;
        return mailer.send({
          ...layOut(company.email, enquiryMessage(enquiry, siteUrl()), company),
          ...(isAddress ? { replyTo: { name: enquiry.name, address: enquiry.email } } : {}),
        });
      },
    },
    log,
  );
}
