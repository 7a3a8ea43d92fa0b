// A new guard on a new shift, their phone, and their stored rows.
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { ownerConnection } from 'supabase-in-node/owner-connection';
import { inTransaction, withClient } from 'supabase-in-node/with-client';
import { readConfig } from '#server/config.ts';
import { type NewPerson, newPerson, pageIn, visitor } from './people.ts';
import { ROOT, service } from './service.ts';

const HOUR_MS = 3_600_000;

export const AT_THE_GATE = { latitude: 6.30001, longitude: -10.80002, accuracy: 12 };
export const FAR_AWAY = { latitude: 6.4, longitude: -10.8, accuracy: 30 };

type Backend = Awaited<ReturnType<typeof service>>;

export type GuardOnShift = {
  person: NewPerson;
  session: Session;
  siteId: string;
  siteName: string;
  assignmentId: string;
  /** Adds another shift of the guard, in hours from now. */
  alsoOn: (
    from: number,
    to: number,
  ) => Promise<{ siteName: string; stored: () => ReturnType<typeof storedOf> }>;
  /** Removes the guard from the shift. @returns a function that assigns them again and reads the stored rows */
  isTakenOff: () => Promise<() => Promise<() => ReturnType<typeof storedOf>>>;
  /** Adds an attendance record as a supervisor would. */
  attends: (clockIn: string) => Promise<void>;
  /** Stored attendance records and clock events of the assignment. */
  stored: () => ReturnType<typeof storedOf>;
};

async function storedOf(backend: Backend, assignmentId: string) {
  const [records, events] = await Promise.all([
    backend
      .from('attendance')
      .select('clock_in_at, clock_out_at, flags, clock_in_reason')
      .eq('assignment_id', assignmentId)
      .order('clock_in_at')
      .throwOnError(),
    backend
      .from('clock_events')
      .select('id, kind, user_id, device_at, effective_at, clock_off, chain_intact, accuracy_m')
      .eq('assignment_id', assignmentId)
      .order('received_at')
      .throwOnError(),
  ]);
  return { records: records.data, events: events.data };
}

async function signedUp(url: string, person: NewPerson): Promise<Session> {
  const { email, password, fullName } = person;
  const options = { data: { full_name: fullName } };
  const { data, error } = await (await visitor(url)).auth.signUp({ email, password, options });
  if (error) throw error;
  if (!data.session) throw new Error('Signing up gave no session.');
  return data.session;
}

type Span = { userId: string; from: number; to: number };

/**
 * A shift of the site with the person on it, whatever the rules of rosters say, as before there were any: under rules that
 * no other session ever sees. At once, because a running shift without its guard raises an alert.
 */
async function staffedShift(dataDir: string, siteId: string, { userId, from, to }: Span) {
  const connection = await ownerConnection(readConfig({ DATA_DIR: dataDir }, ROOT));
  const [shiftId, assignmentId] = [randomUUID(), randomUUID()];
  const now = Date.now();
  await withClient(connection, (client) =>
    inTransaction(client, async () => {
      await client.query(
        'insert into shifts (id, site_id, start_time, end_time) values ($1, $2, $3, $4)',
        [shiftId, siteId, new Date(now + from * HOUR_MS), new Date(now + to * HOUR_MS)],
      );
      const lenient = await client.query<{ id: string }>(
        `insert into rule_sets (name, effective_from, min_rest_hours, min_rest_override_hours)
         values ('None', current_date - 4, 0, 0) returning id`,
      );
      await client.query(
        `insert into assignments (id, shift_id, user_id, override_reason) values ($1, $2, $3, 'Nobody else')`,
        [assignmentId, shiftId, userId],
      );
      await client.query('delete from rule_sets where id = $1', [lenient.rows[0]?.id]);
    }),
  );
  return { shiftId, assignmentId };
}

/** A shift of the person at a new site. @param from start, hours from now @param to end, hours from now */
async function assigned(backend: Backend, dataDir: string, span: Span) {
  const siteName = `Gate ${randomUUID().slice(0, 8)}`;
  const site = await backend
    .from('sites')
    .insert({
      name: siteName,
      client_name: 'Harbour Client',
      address: 'Monrovia',
      ...{ latitude: 6.3, longitude: -10.8 },
    })
    .select('id')
    .single()
    .throwOnError();
  return { siteId: site.data.id, siteName, ...(await staffedShift(dataDir, site.data.id, span)) };
}

/** @param from start of the shift, hours from now @param to end, hours from now */
export async function guardOnShift(
  url: string,
  dataDir: string,
  from = -1,
  to = 7,
): Promise<GuardOnShift> {
  const backend = await service(url, dataDir);
  const person = newPerson();
  const session = await signedUp(url, person);
  const userId = session.user.id;
  const span = { userId, from, to };
  const { siteId, siteName, shiftId, assignmentId } = await assigned(backend, dataDir, span);
  return {
    person,
    session,
    siteId,
    siteName,
    assignmentId,
    alsoOn: async (start, end) => {
      const other = await assigned(backend, dataDir, { userId, from: start, to: end });
      return { siteName: other.siteName, stored: () => storedOf(backend, other.assignmentId) };
    },
    isTakenOff: async () => {
      await backend.from('assignments').delete().eq('id', assignmentId).throwOnError();
      return async () => {
        const row = { shift_id: shiftId, user_id: userId };
        const again = await backend
          .from('assignments')
          .insert(row)
          .select()
          .single()
          .throwOnError();
        return () => storedOf(backend, again.data.id);
      };
    },
    attends: async (clockIn) => {
      await backend
        .from('attendance')
        .insert({ assignment_id: assignmentId, clock_in_at: clockIn })
        .throwOnError();
    },
    stored: () => storedOf(backend, assignmentId),
  };
}

/** The guard's phone, located at the gate by default. */
export async function newPhone(
  browser: Browser,
  url: string,
  guard: GuardOnShift,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await pageIn(browser, url, guard.session, {
    geolocation: AT_THE_GATE,
    permissions: ['geolocation'],
    viewport: { width: 360, height: 740 },
    ...options,
  });
  // A desktop asks which program opens a number, and until it is answered the page gets no clicks.
  await page.addInitScript(() => {
    navigation?.addEventListener('navigate', (event) => {
      if (event.destination.url.startsWith('tel:')) event.preventDefault();
    });
  });
  return page;
}

/** The guard's phone with the clock dialog open. */
export async function phoneOf(...phone: Parameters<typeof newPhone>): Promise<Page> {
  const page = await newPhone(...phone);
  await openClock(page);
  return page;
}

export async function openClock(page: Page): Promise<void> {
  await page.goto('/staff');
  await page.getByRole('button', { name: 'Clock In/Out' }).click();
}
