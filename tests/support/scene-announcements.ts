// Announcements of the small company: to each audience, one that has ended and one that was withdrawn.
import {
  type Person,
  people,
  type SiteKey,
  supervisorElsewhere,
  supervisorHere,
} from './people.ts';
import type { SceneBase } from './scene-rows.ts';

const COLUMNS = '(title, body, audience, site_id, role, last_day, withdrawn_at)';

type Text = { audience: string; site?: string; role?: string; lastDay?: string; withdrawn?: Date };

const ids = (some: readonly Person[]) => some.map(({ id }) => id);

export async function addAnnouncements(base: SceneBase): Promise<void> {
  const { sites, workers, insert } = base;
  const add = (text: Text, addressed: readonly string[]) =>
    insert(
      'announcements',
      `${COLUMNS} values ('New radios', 'Charge them.', $1, $2, $3, $4, $5)`,
      [text.audience, text.site, text.role, text.lastDay ?? '2199-12-31', text.withdrawn],
      { addressed },
    );
  const supervisors: Record<SiteKey, Person> = {
    here: supervisorHere,
    elsewhere: supervisorElsewhere,
  };
  const employed = people.filter(({ roles, closed }) => roles.length > 0 && !closed);
  await add({ audience: 'everybody' }, ids(employed));
  await add({ audience: 'everybody', lastDay: '2020-01-01' }, []);
  await add({ audience: 'everybody', withdrawn: new Date() }, []);
  await add(
    { audience: 'role', role: 'finance' },
    ids(employed.filter(({ roles }) => roles.includes('finance'))),
  );
  for (const site of ['here', 'elsewhere'] as const) {
    const announcement = await add({ audience: 'site', site: sites[site] }, [
      ...ids(workers[site]),
      supervisors[site].id,
    ]);
    for (const { id: owner } of workers[site]) {
      await insert(
        'announcement_readings',
        `(announcement_id, user_id, version, read_at) values ($1, $2, 1, now())`,
        [announcement, owner],
        { owner },
      );
    }
  }
}
