// The texts of security notices. To translate them, translate this file and messages.ts.

import type { Message } from '../../../mail/layout.ts';
import type { Organisation } from '../../../organisation.ts';

export const NOTICE_KINDS = [
  'password_changed',
  'password_set_by_admin',
  'email_changed',
  'new_device',
  'factor_added',
  'factor_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_code_used',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

interface Facts {
  /** In the organisation's time zone. */
  time: string;
  /** Browser and system. */
  device: string;
  /** IP address. */
  address: string;
  site: string;
}

const WORDS: Record<NoticeKind, { subject: string; what: string }> = {
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
};

export function noticeOf(
  kind: NoticeKind,
  { time, device, address, site }: Facts,
  { shortName, hotline }: Organisation,
): Message {
  const { subject, what } = WORDS[kind];
  return {
    subject: `${subject} (${shortName})`,
    heading: subject,
    paragraphs: [what, `When: ${time}. Device: ${device}. Address: ${address}.`],
    button: { label: 'Review your account', link: `${site}/account` },
    closing: `If this was not you, change your password at once and call ${hotline}.`,
  };
}
