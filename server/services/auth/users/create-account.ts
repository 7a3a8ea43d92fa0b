// Makes an account with its identity. The app's triggers on auth.users run in the same transaction.
import { type Db, isTaken } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';

export interface NewAccount {
  id: string;
  /** Canonical; undefined for an anonymous account. */
  email: string | undefined;
  passwordHash: string | undefined;
  userMetadata: Record<string, unknown>;
  appMetadata?: Record<string, unknown>;
  isConfirmed: boolean;
  role?: string;
}

/** Writes an account's row and, with an e-mail address, its identity. */
export async function createAccount(db: Db, account: NewAccount): Promise<void> {
  const { id, email } = account;
  const isAnonymous = email === undefined;
  const facts = isAnonymous
    ? {}
    : { sub: id, email, email_verified: account.isConfirmed, phone_verified: false };
  const metadata = JSON.stringify({ ...account.userMetadata, ...facts });
  try {
    await db.query(
      `insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at,
         raw_app_meta_data, raw_user_meta_data, is_anonymous, created_at, updated_at)
       values ($1, '00000000-0000-0000-0000-000000000000', 'authenticated', $2, $3, $4,
         case when $5::boolean then now() end, $6, $7, $8, now(), now())`,
      [
        id,
        account.role ?? 'authenticated',
        email ?? null,
        account.passwordHash ?? null,
        !isAnonymous && account.isConfirmed,
        JSON.stringify({
          ...account.appMetadata,
          ...(isAnonymous ? {} : { provider: 'email', providers: ['email'] }),
        }),
        metadata,
        isAnonymous,
      ],
    );
  } catch (error) {
    if (isTaken(error, 'users_email_partial_key')) throw refusals.alreadyRegistered();
    throw error;
  }
  if (isAnonymous) return;
  await db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     values ($1::text, $1::uuid, $2, 'email', now(), now())`,
    [id, metadata],
  );
}
