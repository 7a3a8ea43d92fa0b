// Incidents: a guard reports one with a photo, the office asks or accepts, closes it, and writes to the client.
import { Random } from '#demo/random.ts';
import { instantOf, MINUTE_MS } from './clock.ts';
import type { Guard, Site } from './company.ts';
import { accepted, Refused } from './door.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

const HAPPENS = 0.35;
/** A grey pixel. */
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

interface Report {
  id: string;
  guard: Guard;
  site: Site;
  severity: 'low' | 'medium' | 'high' | 'critical';
  photoId: string | undefined;
}

async function send({ id, guard, site, severity, photoId }: Report): Promise<string | undefined> {
  const { client } = guard;
  const written = new Date().toISOString();
  try {
    // The answer is lost, so it is sent again.
    for (const _ of [1, 2])
      accepted(
        await client.from('incidents').upsert(
          {
            id,
            site_id: site.id,
            title: 'The fence was cut',
            category: 'property',
            severity,
            description: 'Two metres of the fence behind the generator are cut.',
            status: 'open',
            written_at: written,
          },
          { onConflict: 'id', ignoreDuplicates: true },
        ),
      );
  } catch (error) {
    if (!(error instanceof Refused) || error.status >= 500) throw error;
    return `refused: ${error.message}`;
  }
  if (photoId === undefined) return undefined;
  const url = `${id}/${photoId.slice(0, 8)}-fence.png`;
  const { error } = await client.storage
    .from('evidence')
    .upload(url, new Blob([PHOTO], { type: 'image/png' }), { contentType: 'image/png' });
  if (error) throw error;
  accepted(
    await client
      .from('evidence')
      .upsert(
        { id: photoId, incident_id: id, type: 'image/png', url, taken_at: written },
        { onConflict: 'id', ignoreDuplicates: true },
      ),
  );
  return 'with a photo';
}

/** The letter is approved by somebody else than its writer. */
async function write(world: World, { id, severity }: Report, letterId: string): Promise<string> {
  const { admin, operations } = world.company;
  accepted(
    await operations.client.from('incident_letters').insert({
      id: letterId,
      incident_id: id,
      addressee: 'The manager',
      address: null,
      email: 'manager@client.example',
      subject: 'The fence was cut',
      summary: 'In the night the fence behind the generator was cut.',
      actions: 'The fence is mended.',
      signatory: 'Office ops_manager',
      signatory_title: null,
      names_included: false,
      photo_ids: [],
    }),
  );
  const approver = severity === 'low' || severity === 'medium' ? operations : admin;
  accepted(await approver.client.rpc('approve_letter', { p_letter_id: letterId }));
  return `approved by ${approver.name}`;
}

function planFollowUp(world: World, report: Report, random: Random): void {
  const { agenda, company } = world;
  const { client } = company.operations;
  const later = (hours: number, what: string, run: () => Promise<string | undefined>): void =>
    agenda.add(
      agenda.now + hours * 60 * MINUTE_MS,
      `${what} the report of ${report.guard.name}`,
      run,
    );
  const review = async (decision: string, note?: string): Promise<undefined> => {
    accepted(
      await client.rpc('review_incident', {
        p_incident_id: report.id,
        p_decision: decision,
        ...(note !== undefined && { p_note: note }),
      }),
    );
  };
  if (random.chance(0.3))
    later(1, 'operations asks about', () => review('returned', 'Which fence is it?'));
  later(3, 'operations accepts', () => review('accepted'));
  if (random.chance(0.7)) {
    const letterId = uuidFrom(random);
    later(4, 'operations writes to the client of', () => write(world, report, letterId));
  }
  for (const [index, status] of (['investigating', 'resolved', 'closed'] as const).entries())
    later(5 + index * 9, `operations sets to ${status}`, async () => {
      accepted(await client.from('incidents').update({ status }).eq('id', report.id));
      return undefined;
    });
}

export function planIncidents(world: World, day: string): void {
  const { agenda, size, company } = world;
  const random = new Random(`simulation/${size.seed}/incident/${day}`);
  if (!random.chance(HAPPENS)) return;
  const guard = random.pick(company.guards);
  const site = random.pick(company.sites);
  const report: Report = {
    id: uuidFrom(random),
    guard,
    site,
    severity: random.among({ low: 30, medium: 40, high: 20, critical: 10 }),
    photoId: random.chance(0.6) ? uuidFrom(random) : undefined,
  };
  const what = `${guard.name} reports a ${report.severity} incident at ${site.name}`;
  agenda.add(instantOf(day, random.pick(['03:20', '09:50', '13:05', '20:35'])), what, async () => {
    const told = await send(report);
    if (!told?.startsWith('refused')) planFollowUp(world, report, random);
    return told;
  });
}
