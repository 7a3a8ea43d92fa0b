// Tells contacts of clients that a page of the book was released to them.
import { format, parseISO } from 'date-fns';
import type { Context } from 'supabase-in-node/context';
import type { Message } from 'supabase-in-node/mail-layout';
import { company } from '#company';
import { clientMails } from '../client-mails.ts';

export interface ReleasedPage {
  email: string;
  full_name: string;
  site: string;
  /** yyyy-MM-dd */
  day: string;
  version: number;
  /** False if the access ended, or the page was withdrawn or released again since. */
  is_current: boolean;
}

/** Nothing of the page itself: mails stay where nobody withdraws them. @param portal the address of the pages */
export function pageMessage(
  { full_name, site, day, version }: ReleasedPage,
  portal: string,
): Message {
  const title = version > 1 ? 'Corrected book of the post' : 'Book of the post';
  const date = format(parseISO(day), 'EEEE, MMMM d, yyyy');
  return {
    // A header must be one line.
    subject: `${title}: ${site}, ${date}`.replace(/\p{Cc}+/gu, ' '),
    heading: title,
    paragraphs: [
      `Dear ${full_name},`,
      version > 1
        ? `The page of ${date} for ${site} was corrected. It names what has changed.`
        : `The page of ${date} for ${site} is ready for you.`,
    ],
    button: { label: 'Open the book', link: portal },
    closing: `Reply to this mail if anything is unclear. ${company.name}`,
  };
}

export const pageMails = (context: Context) =>
  clientMails<ReleasedPage>(context, {
    table: 'private.page_mails',
    key: 'id',
    columns: `c.email, c.full_name, p.facts ->> 'site' as site, p.day::text as day, p.version,
      c.revoked_at is null and c.access_until >= private.company_date() and p.withdrawn_at is null
        and (private.newest_page(p.site_id, p.day)).id = p.id as is_current`,
    join: `join public.post_pages p on p.id = taken.page_id
      join public.client_contacts c on c.id = taken.contact_id`,
    mailOf: async (page) =>
      page.is_current
        ? { to: page.email, message: pageMessage(page, `${context.siteUrl()}/client/book`) }
        : undefined,
  });
