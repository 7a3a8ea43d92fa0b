// Creates an account with its identities. Triggers on auth.users run in the same transaction.
import { type Db, isTaken } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';

export interface NewAccount {
  id: string;
  /** Canonical; without it and without a phone number the account is anonymous. */
  email?: string | undefined;
  /** E.164 digits. */
  phone?: string | undefined;
  passwordHash?: string | undefined;
  userMetadata: Record<string, unknown>;
  appMetadata?: Record<string, unknown> | undefined;
  emailConfirmed: boolean;
  phoneConfirmed?: boolean;
  role?: string;
  aud?: string;
  /** Whether an administrator creates it: metadata is then stored unchanged, as in GoTrue. */
  isByAdmin?: boolean;
}

/**
 * Inserts the account and an identity for each of its addresses.
 * @throws AuthError 422 if an address has an account already
 */
export async function createAccount(db: Db, account: NewAccount): Promise<void> {
  const { id, email, phone, emailConfirmed, phoneConfirmed = false } = account;
  const providers = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])];
  const facts = {
    sub: id,
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
    email_verified: emailConfirmed,
    phone_verified: phoneConfirmed,
  };
  const isAnonymous = providers.length === 0;
  const identityData = JSON.stringify({ ...account.userMetadata, ...facts });
  const metadata = JSON.stringify({
    ...account.userMetadata,
    ...(isAnonymous || account.isByAdmin ? {} : facts),
    ...(account.isByAdmin && emailConfirmed ? { email_verified: true } : {}),
    ...(account.isByAdmin && phoneConfirmed ? { phone_verified: true } : {}),
  });
  const named = isAnonymous ? {} : { provider: providers[0], providers };
  try {
    await db.query(
      `insert into auth.users (id, instance_id, aud, role, email, phone, encrypted_password,
         email_confirmed_at, phone_confirmed_at, raw_app_meta_data, raw_user_meta_data, is_anonymous,
         created_at, updated_at)
       values ($1, '00000000-0000-0000-0000-000000000000', $2, $3, $4, $5, $6,
         case when $7::boolean then now() end, case when $8::boolean then now() end, $9, $10, $11, now(), now())`,
      [
        id,
        account.aud || 'authenticated',
        account.role || 'authenticated',
        email ?? null,
        phone ?? null,
        account.passwordHash ?? null,
        Boolean(email) && emailConfirmed,
        Boolean(phone) && phoneConfirmed,
        JSON.stringify({ ...account.appMetadata, ...named }),
        metadata,
        isAnonymous,
      ],
    );
  } catch (error) {
    throw takenRefusal(error);
  }
  await db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     select $1::text, $1::uuid, $2, provider, now(), now() from unnest($3::text[]) as provider`,
    [id, identityData, providers],
  );
}

/** @returns the AuthError for a violated unique constraint of an address, else the error itself */
export function takenRefusal(error: unknown): unknown {
  if (isTaken(error, 'users_email_partial_key')) return refusals.emailExists();
  if (isTaken(error, 'users_phone_key')) return refusals.phoneExists();
  return error;
}
