// Evidence of closed incidents: mostly photographs, some statements and notes; rows and files.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { iso, minutes } from '../calendar.ts';
import { INCIDENT_CATEGORIES, type IncidentCategory } from '../data.ts';
import { idOf } from '../ids.ts';
import type { Incident } from '../incidents.ts';
import { load } from '../load.ts';
import { Random } from '../random.ts';
import { note, statement } from './papers.ts';
import { sceneOf } from './scenes.ts';

const WITH_EVIDENCE = 60;

export interface Piece {
  id: string;
  incident: Incident;
  /** `<incident id>/<file name>` */
  path: string;
  type: 'image/jpeg' | 'application/pdf' | 'text/plain';
  /** Milliseconds since 1970. */
  at: number;
}

function kindOf(number: number): { type: Piece['type']; file: string } {
  if (number % 10 === 7) return { type: 'application/pdf', file: `statement-${number + 1}.pdf` };
  if (number % 10 === 9) return { type: 'text/plain', file: `note-${number + 1}.txt` };
  return { type: 'image/jpeg', file: `scene-${number + 1}.jpg` };
}

/** Only for closed incidents: the open ones are for the visitor of the demo to work on. */
export function makePieces(incidents: readonly Incident[]): Piece[] {
  const random = new Random('evidence');
  const settled = incidents.filter(({ status }) => status === 'closed');
  const chosen = random.shuffled(settled).slice(0, WITH_EVIDENCE);
  return chosen.map((incident, number) => {
    const { type, file } = kindOf(number);
    const path = `${incident.id}/${file}`;
    return { id: idOf('evidence', number), incident, path, type, at: incident.at + minutes(2) };
  });
}

export async function insertEvidence(client: ClientBase, pieces: readonly Piece[]): Promise<void> {
  await load(
    client,
    'public.evidence',
    {
      id: 'uuid',
      incident_id: 'uuid',
      type: 'text',
      url: 'text',
      created_by: 'uuid',
      created_at: 'timestamptz',
    },
    pieces.map(({ id, incident, path, type, at }) => ({
      id,
      incident_id: incident.id,
      type,
      url: path,
      created_by: incident.assignment.guard.id,
      created_at: iso(at),
    })),
  );
}

const QUALITY = 72;

/** One photograph per category. sharp is loaded on demand, since an ordinary start needs none. */
async function photographs(): Promise<Map<IncidentCategory, Buffer>> {
  const { default: sharp } = await import('sharp');
  const drawn = INCIDENT_CATEGORIES.map(async (category) => {
    const image = sharp(Buffer.from(sceneOf(category))).jpeg({ quality: QUALITY });
    return [category, await image.toBuffer()] as const;
  });
  return new Map(await Promise.all(drawn));
}

function contentOf(piece: Piece, photos: ReadonlyMap<IncidentCategory, Buffer>): Buffer {
  const { incident, type } = piece;
  const photo = photos.get(incident.category);
  if (type === 'image/jpeg' && photo !== undefined) return photo;
  const { title, description } = incident.report;
  const { shift } = incident.assignment;
  const paragraphs = [
    `${shift.site.name}, ${iso(incident.at).slice(0, 16).replace('T', ' ')} UTC`,
    description,
    incident.notes ?? 'Nothing further was observed.',
  ];
  return type === 'application/pdf'
    ? statement(`Statement: ${title}`, paragraphs)
    : note(title, paragraphs);
}

/**
 * A file's version is the id of its evidence, so that an interrupted load overwrites its own files when repeated.
 * @param client inside the transaction that fills the company
 */
export async function writeFiles(
  client: ClientBase,
  blobs: Context['blobs'],
  pieces: readonly Piece[],
): Promise<void> {
  const photos = await photographs();
  const files = pieces.map((piece) => ({ piece, content: contentOf(piece, photos) }));
  for (const { piece, content } of files) await blobs.write(piece.id, Readable.from([content]));
  await load(
    client,
    'storage.objects',
    {
      name: 'text',
      owner: 'uuid',
      owner_id: 'text',
      version: 'text',
      metadata: 'jsonb',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
    files.map(({ piece: { id, incident, path, type, at }, content }) => ({
      name: path,
      owner: incident.assignment.guard.id,
      owner_id: incident.assignment.guard.id,
      version: id,
      metadata: JSON.stringify({
        eTag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`,
        size: content.length,
        mimetype: type,
        cacheControl: 'max-age=3600',
        lastModified: iso(at),
        contentLength: content.length,
        httpStatusCode: 200,
      }),
      created_at: iso(at),
      updated_at: iso(at),
    })),
    { bucket_id: `'evidence'` },
  );
}
