// The evidence of settled demo incidents: mostly photographs, some statements and notes.
import { minutes } from '../calendar.ts';
import { idOf } from '../ids.ts';
import type { Incident } from '../incidents.ts';
import { Random } from '../random.ts';

const WITH_EVIDENCE = 60;

export interface Piece {
  id: string;
  incident: Incident;
  /** Under the incident's folder. */
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

/** Closed cases only, so that the open ones stay to be worked on. */
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
