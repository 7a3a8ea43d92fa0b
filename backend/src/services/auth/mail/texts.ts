// The texts of mails. To translate them, translate this file.
import type { Message } from '../../../mail/layout.ts';
import type { Organisation } from '../../../organisation.ts';

export type MailKind = keyof ReturnType<typeof buildMessages>;

interface Facts {
  /** Confirms when opened; unused for reauthentication. */
  link: string;
  /** Digits to type in. */
  code: string;
  /** The requested new address. */
  newEmail: string;
}

const NOT_YOU = 'If this was not you, ignore this mail; nothing changes.';

const NOT_YOU_URGENT = 'If this was not you, change your password at once.';

/** Mails with a link or code. */
export function buildMessages({ link, code, newEmail }: Facts, { name, shortName }: Organisation) {
  const coded = `Or enter the code ${code}.`;
  return {
    signup: {
      subject: `Confirm your ${shortName} account`,
      heading: 'Confirm your e-mail address',
      paragraphs: [`Confirm this address to start using your account. ${coded}`],
      button: { label: 'Confirm address', link },
      closing: NOT_YOU,
    },
    invite: {
      subject: `You have been invited to ${shortName}`,
      heading: 'You have been invited',
      paragraphs: [`${name} has created an account for you. ${coded}`],
      button: { label: 'Accept the invitation', link },
      closing: 'If you did not expect this, ignore this mail.',
    },
    magiclink: {
      subject: `Your sign-in link for ${shortName}`,
      heading: 'Sign in',
      paragraphs: [`Use this link to sign in. It works once. ${coded}`],
      button: { label: 'Sign in', link },
      closing: NOT_YOU,
    },
    recovery: {
      subject: `Reset your ${shortName} password`,
      heading: 'Reset your password',
      paragraphs: [`We received a request to reset the password of your account. ${coded}`],
      button: { label: 'Set a new password', link },
      closing: NOT_YOU,
    },
    email_change: {
      subject: 'Confirm the change of your e-mail address',
      heading: 'Confirm your new e-mail address',
      paragraphs: [`Your account will use ${newEmail} from now on. ${coded}`],
      button: { label: 'Confirm the change', link },
      closing: NOT_YOU_URGENT,
    },
    reauthentication: {
      subject: `${code} is your ${shortName} code`,
      heading: 'Confirm that it is you',
      paragraphs: ['Enter this code to go on.'],
      code,
      closing: NOT_YOU_URGENT,
    },
  } satisfies Record<string, Message>;
}

export type NoticeKind = keyof typeof NOTICES;

interface NoticeFacts {
  /** In the organisation's time zone. */
  time: string;
  /** Browser and system. */
  device: string;
  address: string;
  site: string;
}

const NOTICES = {
  password_changed: {
    subject: 'Your password was changed',
    what: 'The password of your account was changed, and every other device was signed out.',
  },
  password_set_by_admin: {
    subject: 'Your password was set by an administrator',
    what: 'An administrator set a new password for your account, and every device was signed out.',
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    what: 'Your account now uses another e-mail address. This is the last mail to this one.',
  },
  new_device: {
    subject: 'New sign-in to your account',
    what: 'Your account was used to sign in on a device that we have not seen before.',
  },
  factor_added: {
    subject: 'Two-step sign-in was set up',
    what: 'A second step was added to your account. It is required at every sign-in from now on.',
  },
  factor_removed: {
    subject: 'A second step was removed',
    what: 'A second step was removed from your account.',
  },
  passkey_added: {
    subject: 'A passkey was added',
    what: 'A passkey was added to your account. Its device can now sign in to your account.',
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    what: 'A passkey was removed from your account.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    what: 'Your password and a recovery code were used to sign in. This removed the second step from your account and signed out every other device.',
  },
} as const;

/** Security notices. */
export function buildNotice(
  kind: NoticeKind,
  { time, device, address, site }: NoticeFacts,
  { shortName, hotline }: Organisation,
): Message {
  const { subject, what } = NOTICES[kind];
  return {
    subject: `${subject} (${shortName})`,
    heading: subject,
    paragraphs: [what, `When: ${time}. Device: ${device}. Address: ${address}.`],
    button: { label: 'Review your account', link: `${site}/account` },
    closing: `If this was not you, change your password at once and call ${hotline}.`,
  };
}
