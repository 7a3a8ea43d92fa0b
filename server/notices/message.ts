// The texts of a message that carries one or more notices, for each way of sending.
import type { Message } from 'supabase-in-node/mail-layout';
import { company } from '#company';

export interface Notice {
  title: string;
  body: string;
  link: string | null;
  /** For push messages about a welfare check: sent by the button "I am fine". */
  answer?: { userId: string; assignmentId: string; checkId: string; token: string } | null;
}

/** The screen with every notice. */
const LIST = '/staff/notices';
/** Characters: three text messages at most. */
const TEXT_LENGTH = 450;
/** Notices that a mail or a push message writes out. */
const SHOWN = 10;

const linkOf = ([notice, ...others]: readonly Notice[]): string =>
  (others.length === 0 && notice?.link) || LIST;

const lineOf = ({ title, body }: Notice): string => (body === '' ? title : `${title}: ${body}`);

const headingOf = ([notice, ...others]: readonly Notice[]): string =>
  others.length === 0 && notice ? notice.title : `${others.length + 1} new notices`;

function linesOf(notices: readonly Notice[]): string[] {
  const left = notices.length - SHOWN;
  return [...notices.slice(0, SHOWN).map(lineOf), ...(left > 0 ? [`And ${left} more.`] : [])];
}

/** @param siteUrl the public address, without a trailing slash */
export function buildMail(notices: readonly Notice[], siteUrl: string): Message {
  const heading = headingOf(notices);
  const [notice, ...others] = notices;
  const isOne = others.length === 0 && notice !== undefined;
  return {
    // A header must be one line.
    subject: `${heading} - ${company.shortName}`.replace(/\p{Cc}+/gu, ' '),
    heading,
    paragraphs: isOne ? notice.body.split(/\n+/).filter(Boolean) : linesOf(notices),
    button: { label: 'Open', link: `${siteUrl}${linkOf(notices)}` },
    closing: 'You choose under Me, Notices, how these reach you.',
  };
}

/** @param siteUrl the public address, without a trailing slash */
export function buildText(notices: readonly Notice[], siteUrl: string): string {
  const address = ` ${siteUrl}${linkOf(notices)}`;
  const text = `${company.shortName}: ${linesOf(notices).join('; ')}`.replace(/\s+/g, ' ');
  const room = TEXT_LENGTH - address.length;
  return (text.length > room ? `${text.slice(0, room - 1)}…` : text) + address;
}

/**
 * Shown by web/service-worker.ts.
 * @param id of the delivery: a message that arrives twice replaces itself
 */
export function buildPush(id: string, notices: readonly Notice[]): string {
  const [notice, ...others] = notices;
  const body = others.length === 0 && notice ? notice.body : linesOf(notices).join('\n');
  return JSON.stringify({
    title: headingOf(notices),
    // The payload of a push message has room for about 4 kB.
    body: body.slice(0, 900),
    link: linkOf(notices),
    tag: id,
    answer: notices.findLast(({ answer }) => answer)?.answer ?? undefined,
  });
}
