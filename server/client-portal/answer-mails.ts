// Mails the office's answers to the contacts of clients who asked.
import type { Context } from 'supabase-in-node/context';
import type { Message } from 'supabase-in-node/mail-layout';
import { company } from '#company';
import { clientMails } from '../client-mails.ts';

export interface Answer {
  email: string;
  full_name: string;
  kind: 'message' | 'extra_guard';
  status: 'answered' | 'declined';
  body: string;
  answer: string;
}

const paragraphsOf = (text: string): string[] =>
  text.split(/\n+/).filter((line) => line.trim() !== '');

function headingOf({ kind, status }: Answer): string {
  if (kind === 'message') return 'Answer to your message';
  return status === 'declined'
    ? 'We can’t send the extra guards'
    : 'Answer to your request for extra guards';
}

/** @param portal the address where all messages and answers are */
export function answerMessage(answer: Answer, portal: string): Message {
  const heading = headingOf(answer);
  return {
    subject: `${heading}, ${company.name}`,
    heading,
    paragraphs: [
      `Dear ${answer.full_name},`,
      ...paragraphsOf(answer.answer),
      `You wrote: ${answer.body.replace(/\s+/g, ' ')}`,
    ],
    button: { label: 'Open the client portal', link: portal },
    closing: 'Write to us in the portal if anything is unclear, or reply to this mail.',
  };
}

export const answerMails = (context: Context) =>
  clientMails<Answer>(context, {
    table: 'private.client_answer_mails',
    key: 'request_id',
    columns: 'c.email, c.full_name, r.kind, r.status, r.body, r.answer',
    join: `join public.client_requests r on r.id = taken.request_id
      join public.client_contacts c on c.id = r.contact_id`,
    mailOf: (answer) => ({
      to: answer.email,
      message: answerMessage(answer, `${context.siteUrl()}/client/write`),
    }),
  });
