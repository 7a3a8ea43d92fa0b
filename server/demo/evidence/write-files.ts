// Puts the files of the demo evidence into the object store, drawn and written here.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { iso } from '../calendar.ts';
import { INCIDENT_CATEGORIES, type IncidentCategory } from '../data.ts';
import { load } from '../load.ts';
import { note, statement } from './papers.ts';
import type { Piece } from './pieces.ts';
import { sceneOf } from './scenes.ts';

const QUALITY = 72;

/** One photograph for each category; loads the library only here, since a warm start needs none. */
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
 * A file's version is the id of its evidence, so that a fill cut off and done again writes over itself.
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
