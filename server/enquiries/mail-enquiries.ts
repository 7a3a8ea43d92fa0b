// Mails each new enquiry to the company once it is stored.
import type { FastifyBaseLogger } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { layOut } from 'supabase-in-node/mail-layout';
import { MailQueue } from 'supabase-in-node/mail-queue';
import { z } from 'zod';
import { company } from '#company';
import { type Enquiry, enquiryMessage } from './message.ts';

export function enquiryMails(
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
