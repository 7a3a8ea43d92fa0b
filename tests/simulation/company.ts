// An empty database becomes a working company, through the calls that the office's screens make.
import { Random } from '#demo/random.ts';
import { addDays } from './clock.ts';
import { accepted, type Door } from './door.ts';
import { CLIENT_NAMES, nameOf, PLACES, uuidFrom } from './lists.ts';
import { openWithCode, openWithPassword, type Person } from './person.ts';
import { Phone } from './phone.ts';
import type { Product } from './product.ts';

export interface Size {
  seed: number;
  guards: number;
  sites: number;
}

export type Frequency = 'weekly' | 'bi-weekly' | 'monthly';

export interface Guard extends Person {
  number: number;
  staffId: string;
  frequency: Frequency;
  phone: Phone;
}

export interface Site {
  id: string;
  name: string;
  clientId: string;
  gps: string;
}

export interface Company {
  admin: Person;
  operations: Person;
  hr: Person;
  finance: Person;
  /** Of the first site. */
  supervisor: Person;
  dispatcher: Person;
  guards: Guard[];
  sites: Site[];
  /** First day of work. */
  opensOn: string;
}

/** Shifts of 12 hours that a guard may work in a week of 48. */
const SHIFTS_A_WEEK = 4;
/** Of a post that is manned day and night. */
const SHIFTS_OF_POST = 14;
/** Between the welfare checks of the second site. */
const WELFARE_MINUTES = 240;
const LATITUDE = 6.3;
const LONGITUDE = -10.8;

const CURRENCIES = ['USD', 'LRD'] as const;
const LRD_PER_USD = 190;
const BASES = ['worked', 'fixed', 'minimum', 'minimum'] as const;
const FREQUENCIES: Frequency[] = ['monthly', 'monthly', 'bi-weekly', 'weekly'];
const CHANNELS = ['bank', 'mtn_momo', 'orange_money', 'cash'] as const;

export async function firstAdmin(product: Product, door: Door): Promise<Person> {
  const email = 'ada@company.example';
  const printed = await product.command(
    'scripts/admin-create.ts',
    '--email',
    email,
    '--name',
    'Ada Admin',
  );
  const password = /: (\S+)\s*$/.exec(printed)?.[1];
  if (password === undefined) throw new Error(`No password was printed: ${printed}`);
  return openWithPassword(door, 'Ada Admin', email, password);
}

interface Hired {
  full_name: string;
  email: string | null;
  phone: string | null;
  role: string;
  hire_date: string;
  salary_amount: number;
  payment_frequency: Frequency;
  /** Of a supervisor. */
  site_id?: string;
}

/** The admin hires, and everybody opens the account with the code that was handed over. */
export async function hire(admin: Person, door: Door, people: Hired[]): Promise<Person[]> {
  const rows = people.map((person) => ({
    home_area: null,
    site_id: null,
    ...person,
    certificates: [],
    staff_id: null,
  }));
  const { data } = accepted(await admin.client.rpc('hire_people', { p_people: rows }));
  const opened: Person[] = [];
  for (const [index, { full_name, code }] of (data ?? []).entries()) {
    const { email, phone } = people[index] ?? {};
    opened.push(await openWithCode(door, full_name, phone ?? email ?? '', code));
  }
  return opened;
}

const OFFICE = ['ops_manager', 'hr', 'finance', 'supervisor', 'dispatcher'] as const;

export async function hireOffice(admin: Person, door: Door, hire_date: string, site?: Site) {
  const [operations, hr, finance, supervisor, dispatcher] = await hire(
    admin,
    door,
    OFFICE.map((role) => ({
      full_name: `Office ${role}`,
      email: `${role}@company.example`,
      phone: null,
      role,
      hire_date,
      salary_amount: 600,
      payment_frequency: 'monthly',
      ...(role === 'supervisor' && site && { site_id: site.id }),
    })),
  );
  if (!operations || !hr || !finance || !supervisor || !dispatcher)
    throw new Error('The office was not hired.');
  return { operations, hr, finance, supervisor, dispatcher };
}

export async function hireGuards(
  admin: Person,
  door: Door,
  numbers: number[],
  hire_date: string,
  seed: number,
): Promise<Guard[]> {
  const frequencyOf = (number: number) => FREQUENCIES[number % FREQUENCIES.length] ?? 'monthly';
  const people = await hire(
    admin,
    door,
    numbers.map((number) => ({
      full_name: nameOf(number),
      email: null,
      phone: `+23177${String(1_000_000 + number)}`,
      role: 'guard',
      hire_date,
      salary_amount: 180 + (number % 7) * 15,
      payment_frequency: frequencyOf(number),
    })),
  );
  const { data: staff } = accepted(await admin.client.from('staff').select('id, user_id'));
  return people.map((person, index) => {
    const number = numbers[index] ?? 0;
    const staffId = staff?.find(({ user_id }) => user_id === person.id)?.id ?? '';
    return {
      ...person,
      number,
      staffId,
      frequency: frequencyOf(number),
      phone: new Phone(new Random(`simulation/${seed}/phone/${number}`)),
    };
  });
}

/** Pay by the hour or the shift for some, and where the pay goes: entered by finance, verified by the admin. */
export async function setUpPay(
  { finance, admin }: Pick<Company, 'finance' | 'admin'>,
  guards: Guard[],
  from: string,
): Promise<void> {
  for (const guard of guards) {
    const { number, staffId, name, frequency } = guard;
    const basis = (['salary', 'hourly', 'shift'] as const)[number % 3] ?? 'salary';
    if (basis !== 'salary')
      accepted(
        await admin.client.from('pay_bases').insert({
          staff_id: staffId,
          effective_from: from,
          basis,
          payment_frequency: frequency,
          amount: basis === 'hourly' ? 1.25 : 14,
          currency: 'USD',
        }),
      );
    const channel = CHANNELS[number % CHANNELS.length] ?? 'cash';
    const digits = String(number).padStart(7, '0');
    const { data: account } = accepted(
      await finance.client
        .from('pay_accounts')
        .insert({
          staff_id: staffId,
          channel,
          account_name: name,
          account_number: {
            bank: `LR${digits}`,
            mtn_momo: `+23188${digits}`,
            orange_money: `+23177${digits}`,
            cash: null,
          }[channel],
          bank_name: channel === 'bank' ? 'Ecobank' : null,
        })
        .select('id, account_number')
        .single(),
    );
    if (account)
      accepted(
        await admin.client.rpc('verify_pay_account', {
          p_id: account.id,
          ...(account.account_number !== null && { p_number: account.account_number }),
        }),
      );
  }
}

async function addSites({ admin }: { admin: Person }, size: Size, random: Random): Promise<Site[]> {
  const sites: Site[] = [];
  const clients: string[] = [];
  for (let index = 0; index < size.sites; index += 1) {
    if (index % 2 === 0) {
      const id = uuidFrom(random);
      const name = CLIENT_NAMES[(index / 2) % CLIENT_NAMES.length] ?? '';
      accepted(
        await admin.client.from('clients').insert({
          id,
          name: `${name} ${index + 1}`,
          number_of_guards: 4,
          monthly_rate: 3000,
          location: 'Monrovia',
          payment_method: 'monthly',
        }),
      );
      clients.push(id);
    }
    const site = {
      id: uuidFrom(random),
      name: `Site ${String(index + 1).padStart(2, '0')}`,
      clientId: clients.at(-1) ?? '',
    };
    const latitude = LATITUDE + index * 0.01;
    accepted(
      await admin.client.from('sites').insert({
        id: site.id,
        name: site.name,
        client_id: site.clientId,
        client_name: CLIENT_NAMES[Math.floor(index / 2) % CLIENT_NAMES.length] ?? '',
        address: 'Old Road',
        latitude,
        longitude: LONGITUDE,
        geofence_radius_m: 200,
        welfare_every_minutes: index === 1 ? WELFARE_MINUTES : null,
      }),
    );
    sites.push({ ...site, gps: `${latitude.toFixed(4)},${LONGITUDE.toFixed(4)}` });
  }
  return sites;
}

export const DAY_AND_NIGHT = [
  { slot: 1, day: 0, start: '06:00', minutes: 720, headcount: 1 },
  { slot: 2, day: 0, start: '18:00', minutes: 720, headcount: 1 },
];

async function addPosts(
  operations: Person,
  sites: Site[],
  { guards }: Size,
  from: string,
): Promise<void> {
  const count = Math.max(sites.length, Math.floor((guards * SHIFTS_A_WEEK) / SHIFTS_OF_POST));
  for (let index = 0; index < count; index += 1) {
    const site = sites[index % sites.length];
    if (!site) continue;
    accepted(
      await operations.client.rpc('save_post', {
        p_post: {
          site_id: site.id,
          name: `${PLACES[Math.floor(index / sites.length) % PLACES.length]} ${index + 1}`,
          headcount: 1,
          gender: null,
          gender_reason: null,
          lone_worker: false,
          needs_induction: false,
          valid_from: from,
          valid_to: null,
          notes: null,
        },
        p_courses: [],
        p_requirement: {
          preset: 'day_and_night_12',
          valid_from: from,
          valid_to: null,
          cycle_days: 1,
          slots: DAY_AND_NIGHT,
        },
        p_preview: false,
      }),
    );
  }
}

async function addContracts(
  finance: Person,
  sites: Site[],
  from: string,
  random: Random,
): Promise<void> {
  const clients = [...new Set(sites.map(({ clientId }) => clientId))];
  for (const [index, client_id] of clients.entries()) {
    const id = uuidFrom(random);
    const currency = CURRENCIES[index % CURRENCIES.length] ?? 'USD';
    const scale = currency === 'LRD' ? LRD_PER_USD : 1;
    accepted(
      await finance.client.from('contracts').insert({
        id,
        client_id,
        title: 'Guards',
        currency,
        starts_on: from,
        ends_on: null,
        billing_cycle: 'monthly',
        billing_day: 1,
        payment_terms_days: 14,
        gap_credit: (['penalty', 'hours', 'none'] as const)[index % 3] ?? 'none',
        gap_factor: index % 3 === 0 ? 2 : 1,
        tax_name: null,
      }),
    );
    for (const site of sites.filter(({ clientId }) => clientId === client_id)) {
      const basis = BASES[index % BASES.length] ?? 'worked';
      accepted(
        await finance.client.from('contract_posts').insert({
          contract_id: id,
          site_id: site.id,
          post_id: null,
          basis,
          monthly_amount: basis === 'fixed' ? 4000 * scale : null,
          minimum_hours: basis === 'minimum' ? 300 : null,
          starts_on: from,
          ends_on: null,
        }),
      );
    }
    for (const [kind, amount] of [
      ['regular', 3.25],
      ['night', 3.75],
      ['holiday', 6.5],
    ] as const)
      accepted(
        await finance.client.from('rates').insert({
          contract_id: id,
          contract_post_id: null,
          kind,
          amount: amount * scale,
          effective_from: from,
        }),
      );
  }
}

/** @param today the day on which the company is set up; it opens on the Monday after */
export async function settle(
  product: Product,
  door: Door,
  size: Size,
  today: string,
): Promise<Company> {
  const random = new Random(`simulation/${size.seed}/company`);
  const opensOn = addDays(today, 7);
  const admin = await firstAdmin(product, door);
  const sites = await addSites({ admin }, size, random);
  const office = await hireOffice(admin, door, addDays(today, -30), sites[0]);
  await addPosts(office.operations, sites, size, opensOn);
  await addContracts(office.finance, sites, opensOn, random);
  const numbers = Array.from({ length: size.guards }, (_, index) => index);
  const guards = await hireGuards(admin, door, numbers, today, size.seed);
  await setUpPay({ admin, finance: office.finance }, guards, opensOn);
  return { admin, ...office, guards, sites, opensOn };
}
