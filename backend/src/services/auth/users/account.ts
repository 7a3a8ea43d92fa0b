// An account with its identities and factors, read in one query; times are RFC 3339 texts.
import { type Db, raw, type Sql, sql } from '../database.ts';
import { authError } from '../errors.ts';

export interface Identity {
  identity_id: string;
  id: string;
  user_id: string;
  identity_data: Record<string, unknown>;
  provider: string;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
  email: string | null;
}

export interface Factor {
  id: string;
  created_at: string;
  updated_at: string;
  status: 'unverified' | 'verified';
  friendly_name: string | null;
  factor_type: 'totp' | 'phone' | 'webauthn';
  phone: string;
  last_challenged_at: string | null;
  web_authn_aaguid: string | null;
}

/** Columns that responses contain only if set. */
const TIMES = [
  'email_confirmed_at',
  'invited_at',
  'phone_confirmed_at',
  'confirmation_sent_at',
  'confirmed_at',
  'recovery_sent_at',
  'email_change_sent_at',
  'phone_change_sent_at',
  'reauthentication_sent_at',
  'last_sign_in_at',
  'banned_until',
  'deleted_at',
] as const;

export type AccountTimes = Record<(typeof TIMES)[number], string | null>;

export interface Account extends AccountTimes {
  id: string;
  aud: string;
  role: string;
  email: string;
  phone: string;
  /** bcrypt; never leaves the service. */
  password_hash: string | null;
  app_metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
  new_email: string;
  new_phone: string;
  is_anonymous: boolean;
  is_sso_user: boolean;
  is_banned: boolean;
  created_at: string;
  updated_at: string;
  identities: Identity[];
  factors: Factor[];
}

/** Formatted by PostgreSQL: a JavaScript Date has no microseconds. */
const time = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const IDENTITIES = `
  select coalesce(json_agg(json_build_object(
    'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
    'provider', i.provider, 'email', i.email, 'last_sign_in_at', ${time('i.last_sign_in_at')},
    'created_at', ${time('i.created_at')}, 'updated_at', ${time('i.updated_at')}
  ) order by i.created_at, i.id), '[]') from auth.identities i where i.user_id = u.id`;

const FACTORS = `
  select coalesce(json_agg(json_build_object(
    'id', f.id, 'status', f.status, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type,
    'phone', coalesce(f.phone, ''), 'web_authn_aaguid', f.web_authn_aaguid,
    'last_challenged_at', ${time('f.last_challenged_at')},
    'created_at', ${time('f.created_at')}, 'updated_at', ${time('f.updated_at')}
  ) order by f.created_at, f.id), '[]') from auth.mfa_factors f where f.user_id = u.id`;

/** The select list of an Account over `auth.users u`. */
export const ACCOUNT_COLUMNS = raw(`
  u.id, coalesce(u.aud, '') as aud, coalesce(u.role, '') as role, coalesce(u.email, '') as email,
  coalesce(u.phone, '') as phone, u.encrypted_password as password_hash,
  coalesce(u.raw_app_meta_data, '{}') as app_metadata, coalesce(u.raw_user_meta_data, '{}') as user_metadata,
  coalesce(u.email_change, '') as new_email, coalesce(u.phone_change, '') as new_phone,
  u.is_anonymous, u.is_sso_user, coalesce(u.banned_until > now(), false) as is_banned,
  ${TIMES.map((column) => `${time(`u.${column}`)} as ${column}`).join(', ')},
  coalesce(${time('u.created_at')}, '') as created_at, coalesce(${time('u.updated_at')}, '') as updated_at,
  (${IDENTITIES}) as identities, (${FACTORS}) as factors`);

/** Whether the account has a verified second factor. */
export function hasSecondStep({ factors }: Account): boolean {
  return factors.some((factor) => factor.status === 'verified');
}

async function findAccount(db: Db, condition: Sql): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(sql`
    select ${ACCOUNT_COLUMNS} from auth.users u where ${condition}`);
  return rows[0];
}

export const accountById = (db: Db, id: string) => findAccount(db, sql`u.id = ${id}`);

export async function requireAccount(
  db: Db,
  id: string,
  otherwise: 'noSuchUser' | 'userGone',
): Promise<Account> {
  const account = await accountById(db, id);
  if (account === undefined) throw authError(otherwise);
  return account;
}

/** @param phone E.164 digits */
export const accountByPhone = (db: Db, phone: string) =>
  findAccount(db, sql`u.phone = ${phone} and u.deleted_at is null`);

/** @param email canonical; does not find accounts of SAML providers */
export const accountByEmail = (db: Db, email: string) =>
  findAccount(db, sql`u.email = ${email} and not u.is_sso_user and u.deleted_at is null`);

// The user in responses: unset fields are left out, secrets never included.
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
