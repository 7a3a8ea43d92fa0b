// The user in responses: unset fields are left out, secrets never included.
import type { Account } from './account.ts';

type Fields = Record<string, unknown>;

function present(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== ''),
  );
}

export function userObject(account: Account): Fields {
  const { id, aud, role, email, phone } = account;
  return {
    id,
    aud,
    role,
    email,
    ...present({ email_confirmed_at: account.email_confirmed_at, invited_at: account.invited_at }),
    phone,
    ...present({
      phone_confirmed_at: account.phone_confirmed_at,
      confirmation_sent_at: account.confirmation_sent_at,
      confirmed_at: account.confirmed_at,
      recovery_sent_at: account.recovery_sent_at,
      new_email: account.new_email,
      email_change_sent_at: account.email_change_sent_at,
      new_phone: account.new_phone,
      phone_change_sent_at: account.phone_change_sent_at,
      reauthentication_sent_at: account.reauthentication_sent_at,
      last_sign_in_at: account.last_sign_in_at,
    }),
    app_metadata: account.app_metadata,
    user_metadata: account.user_metadata,
    ...(account.factors.length === 0 ? {} : { factors: account.factors.map(factorObject) }),
    identities: account.identities.map(({ email: address, ...identity }) => ({
      ...identity,
      ...present({ email: address }),
    })),
    created_at: account.created_at,
    updated_at: account.updated_at,
    ...present({ banned_until: account.banned_until, deleted_at: account.deleted_at }),
    is_anonymous: account.is_anonymous,
  };
}

/** A factor in responses. */
export function factorObject(factor: Account['factors'][number]): Fields {
  const { friendly_name, web_authn_aaguid, ...always } = factor;
  return { ...always, ...present({ friendly_name, web_authn_aaguid }) };
}
