// One person for each kind of access in the permission matrix.
import type { Role } from '#shared/grants.ts';

export type SiteKey = 'here' | 'elsewhere';

export interface Person {
  id: string;
  name: string;
  /** Claims of the access token; null for anon. */
  claims: Record<string, string> | null;
  roles: readonly Role[];
  /** Site of a supervisor role. */
  supervises?: SiteKey;
  /** Whether the account was made for a contact of a client; its access may have ended. */
  isContact?: boolean;
  /** The site whose client the person is a contact of, while the access lasts. */
  contactOf?: SiteKey;
  /** Whether the account can read nothing but its own profile. */
  closed?: boolean;
  /** Whether account or session is inactive or lacks the second factor, so that it can't write. */
  unproved?: boolean;
  /** SQL that prepares the account, run by the owner; `$1` is the person's id. */
  setUp?: string;
  /** Sign-up policy for this person; default `open`. */
  signupPolicy?: 'approval';
}

let count = 0;

function person(name: string, roles: readonly Role[], more: Partial<Person> = {}): Person {
  count += 1;
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  const email = `${name.replaceAll(' ', '.')}@people.example`;
  const claims = { sub: id, role: 'authenticated', aal: 'aal1', email };
  return { id, name, claims, roles, ...more };
}

const WITH_FACTOR = `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
  values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`;

export const guardHere = person('guard on the site', ['guard']);
export const guardElsewhere = person('guard elsewhere', ['guard']);
export const supervisorHere = person('supervisor of the site', ['supervisor'], {
  supervises: 'here',
});
export const supervisorElsewhere = person('supervisor elsewhere', ['supervisor'], {
  supervises: 'elsewhere',
});
export const supervisorEverywhere = person('supervisor of all', ['supervisor']);
export const dispatcher = person('dispatcher', ['dispatcher']);
export const hr = person('hr', ['hr']);
export const finance = person('finance', ['finance']);
export const opsManager = person('ops manager', ['ops_manager']);
export const admin = person('admin', ['admin']);
export const newcomer = person('signed in without role', []);
const contact = (name: string, contactOf?: SiteKey) =>
  person(name, [], { isContact: true, closed: true, ...(contactOf && { contactOf }) });
export const contactHere = contact('contact of the client', 'here');
export const contactElsewhere = contact('contact of another client', 'elsewhere');
export const formerContact = contact('contact whose access was ended');
const secondFactorShown = person('admin with second factor', ['admin'], { setUp: WITH_FACTOR });

const signedOut = person('admin who has signed out', ['admin'], { closed: true, unproved: true });

export const people: Person[] = [
  { id: '', name: 'visitor', claims: null, roles: [] },
  newcomer,
  guardHere,
  guardElsewhere,
  supervisorHere,
  supervisorElsewhere,
  supervisorEverywhere,
  dispatcher,
  hr,
  finance,
  opsManager,
  admin,
  { ...secondFactorShown, claims: { ...secondFactorShown.claims, aal: 'aal2' } },
  person('admin without the second factor', ['admin'], {
    setUp: WITH_FACTOR,
    closed: true,
    unproved: true,
  }),
  person('admin who must change the password', ['admin'], {
    setUp: 'update public.profiles set must_change_password = true where id = $1',
    closed: true,
  }),
  person('banned admin', ['admin'], {
    setUp: `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
    closed: true,
    unproved: true,
  }),
  {
    ...signedOut,
    claims: { ...signedOut.claims, session_id: '00000000-0000-4000-9000-000000000000' },
  },
  person('waiting for approval', [], { signupPolicy: 'approval', closed: true }),
  person('approved guard', ['guard'], { signupPolicy: 'approval' }),
  contactHere,
  contactElsewhere,
  formerContact,
];

/** Owner of rows that the others try to reach. */
export const bystander = person('bystander', ['guard']);
