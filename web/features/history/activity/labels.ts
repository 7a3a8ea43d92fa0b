import { nameInWords } from '#web/lib/format/letter-case.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import { type Entry, EVENTS, type EventName } from './schema.ts';

export const ACTION_LABELS: Record<Entry['action'], string> = {
  insert: 'Added',
  update: 'Changed',
  delete: 'Deleted',
};

export const ACTION_TONES: Record<Entry['action'], Tone> = {
  insert: 'green',
  update: 'blue',
  delete: 'red',
};

export const EVENT_LABELS: Record<EventName, string> = {
  login: 'Signed in',
  login_failed: 'Sign-in failed',
  logout: 'Signed out',
  token_revoked: 'Session renewed',
  user_signedup: 'Account created',
  user_repeated_signup: 'Sign-up for an account that exists',
  user_invited: 'Invited',
  user_modified: 'Account changed',
  user_updated_password: 'Password changed',
  user_recovery_requested: 'Password reset requested',
  user_reauthenticate_requested: 'Code requested',
  user_confirmation_requested: 'Confirmation requested',
  user_disabled: 'Account disabled',
  user_enabled: 'Account enabled',
  signed_out_everywhere: 'Signed out everywhere by an admin',
  user_deleted: 'Account deleted',
  factor_enrolled: 'Second step set-up started',
  factor_verified: 'Second step completed',
  factor_failed: 'Second step failed',
  factor_deleted: 'Second step removed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  recovery_codes_created: 'Recovery codes created',
  recovery_code_used: 'Recovery code used',
  recovery_code_failed: 'Recovery code failed',
  start_code_created: 'Start code created',
  start_code_used: 'Start code used',
  start_code_failed: 'Start code failed',
  pin_set: 'PIN set',
  pin_locked: 'PIN locked',
  pin_unlocked: 'PIN unlocked',
  addresses_changed_by_admin: 'Email or phone changed by an admin',
  data_exported: 'Personal data downloaded for another person',
  person_erased: 'Person erased',
  erasure_failed: 'Erasure of a person failed',
  identity_linked: 'Other sign-in linked',
  identity_unlinked: 'Other sign-in unlinked',
  sso_provider_created: 'Company sign-in added',
  sso_provider_updated: 'Company sign-in changed',
  sso_provider_deleted: 'Company sign-in removed',
};

const IMPORTANT: readonly string[] = [
  'user_disabled',
  'signed_out_everywhere',
  'user_deleted',
  'factor_deleted',
  'recovery_code_used',
  'start_code_created',
  'pin_locked',
  'addresses_changed_by_admin',
  'person_erased',
  'user_updated_password',
];

export function eventTone(action: string): Tone {
  if (action.endsWith('_failed')) return 'red';
  return IMPORTANT.includes(action) ? 'orange' : 'grey';
}

/** Events that this version does not know, for example from a newer backend, get a label made from their name. */
export function eventLabel(action: string): string {
  const known = EVENTS.find((name) => name === action);
  return known ? EVENT_LABELS[known] : nameInWords(action);
}
