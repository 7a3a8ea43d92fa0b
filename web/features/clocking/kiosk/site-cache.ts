// The site as the device last read it, for the time without a network.
import { outboxStore } from '#web/lib/outbox/store.ts';
import { type KioskSite, siteSchema } from './people.ts';

const SITE = 'kiosk-site';

export async function cachedSite(): Promise<KioskSite | undefined> {
  return siteSchema.safeParse(await (await outboxStore()).getValue(SITE)).data;
}

export async function cacheSite(site: KioskSite | null): Promise<void> {
  await (await outboxStore()).setValue(SITE, site);
}

/** Notes what the server has stored, before the queue drops it: a guard must not seem to be out in between. */
export async function cacheState(assignmentId: string, state: 'in' | 'out'): Promise<void> {
  const site = await cachedSite();
  if (!site) return;
  const people = site.people.map((person) =>
    person.assignment_id === assignmentId ? { ...person, state } : person,
  );
  await cacheSite({ ...site, people });
}
