// The texts of mails with a link or code. To translate them, translate this file and notices.ts.

import type { Message } from '../../../mail/layout.ts';
import type { Organisation } from '../../../organisation.ts';

export const MAIL_KINDS = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change',
  'reauthentication',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

interface Facts {
  /** Confirms when opened; unused for reauthentication. */
  link: string;
  /** Digits to type in. */
  code: string;
  /** The requested new address. */
  newEmail: string;
}

const NOT_YOU = 'If this was not you, ignore this mail; nothing changes.';

export function messageOf(
  kind: MailKind,
  { link, code, newEmail }: Facts,
  { name, shortName }: Organisation,
): Message {
  const coded = `Or enter the code ${code}.`;
  switch (kind) {
    case 'signup':
      return {
        subject: `Confirm your ${shortName} account`,
        heading: 'Confirm your e-mail address',
        paragraphs: [`Confirm this address to start using your account. ${coded}`],
        button: { label: 'Confirm address', link },
        closing: NOT_YOU,
      };
    case 'invite':
      return {
        subject: `You have been invited to ${shortName}`,
        heading: 'You have been invited',
        paragraphs: [`${name} has created an account for you. ${coded}`],
        button: { label: 'Accept the invitation', link },
        closing: 'If you did not expect this, ignore this mail.',
      };
    case 'magiclink':
      return {
        subject: `Your sign-in link for ${shortName}`,
        heading: 'Sign in',
        paragraphs: [`Use this link to sign in. It works once. ${coded}`],
        button: { label: 'Sign in', link },
        closing: NOT_YOU,
      };
    case 'recovery':
      return {
        subject: `Reset your ${shortName} password`,
        heading: 'Reset your password',
        paragraphs: [`We received a request to reset the password of your account. ${coded}`],
        button: { label: 'Set a new password', link },
        closing: NOT_YOU,
      };
    case 'email_change':
      return {
        subject: 'Confirm the change of your e-mail address',
        heading: 'Confirm your new e-mail address',
        paragraphs: [`Your account will use ${newEmail} from now on. ${coded}`],
        button: { label: 'Confirm the change', link },
        closing: 'If this was not you, change your password at once.',
      };
    case 'reauthentication':
      return {
        subject: `${code} is your ${shortName} code`,
        heading: 'Confirm that it is you',
        paragraphs: ['Enter this code to go on.'],
        code,
        closing: 'If this was not you, change your password at once.',
      };
  }
}
