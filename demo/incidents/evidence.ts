// Evidence of closed incidents: mostly photographs, some statements and notes; rows and files.
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { iso, minutes } from '../calendar.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import { storeFiles } from '../store-files.ts';
import type { Incident } from './incidents.ts';
import { scenes } from './scenes.ts';

const WITH_EVIDENCE = 60;

interface Piece {
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

/**
 * Only for closed incidents: the open ones are for the visitor of the demo to work on.
 * @param told those about which letters are written; they come first
 */
export function makePieces(incidents: readonly Incident[], told: readonly Incident[]): Piece[] {
  const random = new Random('evidence');
  const settled = incidents.filter(({ status }) => status === 'closed');
  const first = settled.filter((incident) => told.includes(incident));
  const chosen = [...new Set([...first, ...random.shuffled(settled)])].slice(0, WITH_EVIDENCE);
  return chosen.map((incident, number) => {
    const { type, file } = kindOf(number);
    const path = `${incident.id}/${file}`;
    return { id: idOf('evidence', number), incident, path, type, at: incident.at + minutes(2) };
  });
}

export async function insertEvidence(client: ClientBase, pieces: readonly Piece[]): Promise<void> {
  const rows = pieces.map(({ id, incident, path, type, at }) => ({
    id,
    incident_id: incident.id,
    type,
    url: path,
    created_by: incident.assignment.guard.id,
    created_at: iso(at),
  }));
  await insertRows(client, 'evidence', rows);
  await client.query(`
    update incident_letters l set photo_ids = array(
      select e.id from evidence e where e.incident_id = l.incident_id and e.type = 'image/jpeg')`);
}

const LINE_LENGTH = 82;

/** @returns lines of at most `LINE_LENGTH` characters */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const linesOf = (paragraphs: readonly string[]): string[] =>
  paragraphs.flatMap((text) => [...wrapped(text), '']);

const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, '?').replace(/[\\()]/g, (sign) => `\\${sign}`);

/** @returns one page in Helvetica, a standard PDF font (PDF 1.4) */
function statement(title: string, paragraphs: readonly string[]): Buffer {
  const text = [
    'BT /F1 16 Tf 64 770 Td 18 TL',
    `(${escaped(title)}) Tj T* /F1 11 Tf T*`,
    ...linesOf(paragraphs).map((line) => `(${escaped(line)}) Tj T*`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`, 'latin1');
}

function note(title: string, paragraphs: readonly string[]): Buffer {
  return Buffer.from([title, '', ...linesOf(paragraphs)].join('\n'), 'utf8');
}

const QUALITY = 72;

/** One photograph per category. sharp is loaded on demand, since an ordinary start needs none. */
export async function drawPhotographs(): Promise<Map<string, Buffer>> {
  const { default: sharp } = await import('sharp');
  const drawn = scenes.map(async ([category, svg]): Promise<[string, Buffer]> => {
    const image = sharp(Buffer.from(svg)).jpeg({ quality: QUALITY });
    return [category, await image.toBuffer()];
  });
  return new Map(await Promise.all(drawn));
}

function contentOf(piece: Piece, photos: ReadonlyMap<string, Buffer>): Buffer {
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

/** @param client inside the transaction that fills the company */
export async function writeFiles(
  client: ClientBase,
  blobs: Context['blobs'],
  pieces: readonly Piece[],
  photos: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const files = pieces.map((piece) => ({
    ...piece,
    content: contentOf(piece, photos),
    owner: piece.incident.assignment.guard.id,
  }));
  await storeFiles(client, blobs, 'evidence', files);
}
