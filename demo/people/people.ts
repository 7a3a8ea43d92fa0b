import type { ClientBase } from 'pg';
import { insertAccounts } from '../../server/set-up-accounts.ts';
import type { Role } from '../../shared/grants.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../accounts.ts';
import { type Calendar, iso } from '../calendar.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import namesData from './names.json' with { type: 'json' };

/** Invented people have common first names and surnames of Liberia. */
const { men: MEN, surnames: SURNAMES, women: WOMEN } = namesData;

const GUARDS = 520;
/** Days ago: before the first shift of the demo. */
const EARLIEST_HIRING = 165;
/** Left in the last weeks; their records stay. */
const FORMER_GUARDS = 12;

export interface Person {
  id: string;
  email: string;
  fullName: string;
  gender: 'female' | 'male';
  /** Undefined for people who signed up and have no role yet. */
  role: Role | undefined;
  /** Job title in the office; undefined for guards. */
  title: string | undefined;
  /** Set for regional supervisors. */
  region?: string | undefined;
  /** Calendar day. */
  joined: number;
  /** Calendar day; undefined for current staff. */
  left: number | undefined;
}

/** Office staff besides the demo accounts. admin@ is the only admin. */
const OFFICE: readonly [role: Role, title: string, region?: string][] = [
  ['ops_manager', 'CEO and Operations Director'],
  ['supervisor', 'Regional Supervisor, West', 'west'],
  ['supervisor', 'Regional Supervisor, Centre', 'centre'],
  ['supervisor', 'Regional Supervisor, South', 'south'],
  ['supervisor', 'Regional Supervisor, South East', 'south-east'],
  ['supervisor', 'Site Supervisor'],
  ['supervisor', 'Site Supervisor'],
  ['dispatcher', 'Dispatcher, night desk'],
  ['dispatcher', 'Dispatcher, weekend desk'],
  ['hr', 'Training Officer'],
];
const NEWCOMERS = 3;

/** Unique names, so that people in a list can be distinguished. */
const isWoman = (fullName: string): boolean => WOMEN.includes(fullName.split(' ')[0] ?? '');

function* names(random: Random): Generator<string> {
  const taken = new Set(DEMO_ACCOUNTS.map(({ fullName }) => fullName));
  for (;;) {
    const first = random.chance(0.78) ? random.pick(MEN) : random.pick(WOMEN);
    const name = `${first} ${random.pick(SURNAMES)}`;
    if (taken.has(name) || first === name.slice(first.length + 1)) continue;
    taken.add(name);
    yield name;
  }
}

export interface People {
  everyone: Person[];
  guards: Person[];
  office: Person[];
  /** The person of a demo account. @throws if there is no such account */
  named(account: string): Person;
}

export function makePeople(): People {
  const random = new Random('people');
  const name = names(random);
  const nextName = (): string => name.next().value ?? '';
  const demo = DEMO_ACCOUNTS.map(
    (account): Person => ({
      ...account,
      gender: isWoman(account.fullName) ? 'female' : 'male',
      title: account.role === 'guard' ? undefined : account.summary,
      joined: -random.int(500, 900),
      left: undefined,
    }),
  );
  let number = 0;
  const another = (email: string, role: Role | undefined, title?: string): Person => {
    const fullName = nextName();
    return {
      id: idOf('account', number++),
      email: `${email}@statesman.example`,
      fullName,
      gender: isWoman(fullName) ? 'female' : 'male',
      role,
      title,
      joined: -random.int(EARLIEST_HIRING, 2400),
      left: undefined,
    };
  };
  const guards = demo.filter(({ role }) => role === 'guard');
  for (let i = 1; guards.length < GUARDS; i += 1) {
    const guard = another(`guard${String(i).padStart(3, '0')}`, 'guard');
    guards.push(guard);
    if (guards.length > GUARDS - FORMER_GUARDS) guard.left = -random.int(8, 60);
  }
  const office = demo.filter(({ role }) => role !== 'guard');
  for (const [role, title, region] of OFFICE) {
    const one = another('', role, title);
    const email = `${one.fullName.toLowerCase().replace(' ', '.')}@statesman.example`;
    office.push({ ...one, region, email });
  }
  const newcomers = Array.from({ length: NEWCOMERS }, (_, i) => ({
    ...another(`newcomer${i + 1}`, undefined),
    joined: -i - 1,
  }));
  const everyone = [...guards, ...office, ...newcomers];
  const byEmail = new Map(everyone.map((person) => [person.email, person]));
  return {
    everyone,
    guards,
    office,
    named: (account) => {
      const person = byEmail.get(`${account}@statesman.example`);
      if (person === undefined) throw new Error(`There is no demo account ${account}.`);
      return person;
    },
  };
}

/** Accounts; a trigger creates their profiles. All share one password hash. */
export async function insertPeople(
  client: ClientBase,
  people: People,
  calendar: Calendar,
): Promise<void> {
  const accounts = people.everyone.map(({ id, email, fullName, joined }) => ({
    id,
    email,
    fullName,
    createdAt: iso(calendar.at(joined, 9)),
  }));
  await insertAccounts(client, accounts, DEMO_PASSWORD);
}

/** @param siteOf the sites of a supervisor; empty means all sites */
export async function insertRoles(
  client: ClientBase,
  people: People,
  siteOf: (person: Person) => readonly string[],
  calendar: Calendar,
): Promise<void> {
  const rows = people.everyone.flatMap((person) => {
    const { id, role, joined } = person;
    if (role === undefined) return [];
    const sites = siteOf(person);
    const created_at = iso(calendar.at(joined, 9, 5));
    return (sites.length > 0 ? sites : [null]).map((site_id) => ({
      user_id: id,
      role,
      site_id,
      created_at,
    }));
  });
  await insertRows(
    client,
    'user_roles',
    rows.map((row, number) => ({ id: idOf('role', number), ...row })),
  );
}
