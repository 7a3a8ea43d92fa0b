// Drawn photos of guards: of most who work for the client with the demo contact, and of the demo accounts.
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { type Company, largestClients } from '../clients/business.ts';
import { idOf, Random } from '../random.ts';
import type { Assignment } from '../roster/roster.ts';
import { type StoredFile, storeFiles } from '../store-files.ts';
import type { Person } from './people.ts';

const SIDE = 384;
const QUALITY = 78;
const SKIN = ['#5b3a26', '#6d4630', '#7f5438', '#4a2f20'] as const;
const WALLS = ['#c9d3da', '#d8d2c4', '#bfc9bd', '#cdbfae'] as const;
const HAIR = '#1d1713';
const NAVY = '#1f2f4a';
const BRASS = '#c39a4a';

const HEAD = '<ellipse cx="192" cy="168" rx="66" ry="80" fill="SKIN"/>';
const FACE = `
  <path d="M160 156 h18 M206 156 h18" stroke="${HAIR}" stroke-width="6" stroke-linecap="round"/>
  <path d="M192 168 v22" stroke="${HAIR}" stroke-width="4" stroke-linecap="round" opacity="0.45"/>
  <path d="M168 208 q24 18 48 0" stroke="${HAIR}" stroke-width="5" stroke-linecap="round" fill="none" opacity="0.7"/>`;
const BODY = `
  <path d="M158 224 h68 v60 h-68 Z" fill="SKIN"/>
  <path d="M48 384 q4 -104 110 -116 l34 34 l34 -34 q106 12 110 116 Z" fill="${NAVY}"/>
  <path d="M158 268 l34 34 l-22 34 l-34 -58 Z M226 268 l-34 34 l22 34 l34 -58 Z" fill="#31456a"/>
  <path d="M262 320 h34 v20 q-17 14 -34 0 Z" fill="${BRASS}"/>`;
const CAP = `
  <path d="M118 124 q8 -66 74 -66 q66 0 74 66 q-74 -22 -148 0 Z" fill="${NAVY}"/>
  <path d="M124 122 q68 -22 136 0 l8 20 q-76 -28 -152 0 Z" fill="#16233a"/>
  <circle cx="192" cy="92" r="12" fill="${BRASS}"/>`;
const SHORT_HAIR = `<path d="M126 156 q-6 -78 66 -78 q72 0 66 78 q-14 -40 -66 -40 q-52 0 -66 40 Z" fill="${HAIR}"/>`;
const TIED_HAIR = `<circle cx="192" cy="76" r="34" fill="${HAIR}"/>${SHORT_HAIR}`;

/** As SVG. */
function drawn(guard: Person, random: Random): string {
  const hair = guard.gender === 'female' ? TIED_HAIR : SHORT_HAIR;
  const figure = `${BODY}${HEAD}${random.chance(0.5) ? CAP : hair}${FACE}`;
  const wall = `<rect width="${SIDE}" height="${SIDE}" fill="${random.pick(WALLS)}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">${wall}${figure.replaceAll('SKIN', random.pick(SKIN))}</svg>`;
}

/** The others have none, as where photos are still being taken. */
const SHARE = 0.8;

export type Portrait = StoredFile & { guard: string };

/** Runs beside PostgreSQL, in threads of sharp. */
export async function drawPortraits(
  { people, business, calendar }: Company,
  assignments: readonly Assignment[],
): Promise<Portrait[]> {
  const [largest] = largestClients(business.clients, 1);
  const there = assignments.filter(({ shift }) => shift.site.client === largest);
  const shown = new Set([
    people.named('guard'),
    people.named('guard2'),
    ...there.map(({ guard }) => guard),
  ]);
  // Loaded on demand, since an ordinary start needs none.
  const { default: sharp } = await import('sharp');
  const random = new Random('photos');
  return Promise.all(
    people.guards
      .filter((guard) => shown.has(guard) && random.chance(SHARE))
      .map(async (guard, number) => {
        const id = idOf('photo', number);
        const picture = sharp(Buffer.from(drawn(guard, random))).jpeg({ quality: QUALITY });
        return {
          id,
          path: `${id}.jpg`,
          type: 'image/jpeg',
          content: await picture.toBuffer(),
          owner: people.named('hr').id,
          at: calendar.at(-30, 10, number % 60),
          guard: guard.id,
        };
      }),
  );
}

export async function insertPortraits(
  client: ClientBase,
  blobs: Context['blobs'],
  portraits: readonly Portrait[],
): Promise<void> {
  await storeFiles(client, blobs, 'photos', portraits);
  await client.query(
    `update profiles p set photo_path = f.path
     from unnest($1::uuid[], $2::text[]) f (id, path) where p.id = f.id`,
    [portraits.map(({ guard }) => guard), portraits.map(({ path }) => path)],
  );
}
