// The mail of a letter to a client; all its text is in this file.
import type { Message } from 'supabase-in-node/mail-layout';

export interface Letter {
  id: string;
  incident_id: string;
  version: number;
  addressee: string;
  email: string;
  subject: string;
  summary: string;
  actions: string | null;
  signatory: string;
  signatory_title: string | null;
  site: string;
  /** Null unless names are included. */
  reported_by: string | null;
}

const paragraphsOf = (text: string): string[] =>
  text.split(/\n+/).filter((line) => line.trim() !== '');

export function letterMessage(letter: Letter): Message {
  const { site, version, addressee, actions, signatory, signatory_title, reported_by } = letter;
  const number = letter.incident_id.slice(0, 8).toUpperCase();
  return {
    // A header must be one line.
    subject: `Incident report: ${letter.subject}, ${site}`.replace(/\p{Cc}+/gu, ' '),
    heading: `Incident report: ${letter.subject}`,
    paragraphs: [
      `Dear ${addressee},`,
      `Site: ${site}. Reference: ${number}, version ${version}.`,
      ...(reported_by === null ? [] : [`Reported by: ${reported_by}.`]),
      ...paragraphsOf(letter.summary),
      ...(actions === null ? [] : ['Actions taken:', ...paragraphsOf(actions)]),
      'Yours faithfully,',
      [signatory, signatory_title].filter(Boolean).join(', '),
    ],
    closing: 'Reply to this mail to reach our operations room.',
  };
}
