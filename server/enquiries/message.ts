// The mail to the company about an enquiry; all its text is in this file.
import type { Message } from 'supabase-in-node/mail-layout';

export interface Enquiry {
  id: string;
  name: string;
  email: string;
  company: string | null;
  message: string;
}

/** @param siteUrl the public address, without a trailing slash */
export function enquiryMessage(enquiry: Enquiry, siteUrl: string): Message {
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
