// Writes the rows of the demo evidence; its files are written by write-files.ts.
import type { ClientBase } from 'pg';
import { iso } from '../calendar.ts';
import { load } from '../load.ts';
import type { Piece } from './pieces.ts';

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
