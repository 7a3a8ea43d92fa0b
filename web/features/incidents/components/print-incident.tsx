// Hands an incident to the client on paper or as a PDF. The letter is drawn when it is asked for, and printed once its
// photos are there.
import { useQueryClient } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { evidenceLinks } from '../api/evidence-links.ts';
import { isPhoto } from '../evidence-kind.ts';
import type { IncidentDetails } from '../schema.ts';
import { IncidentLetter } from './letter/incident-letter.tsx';

/** A photo that doesn't come is left out after this long, milliseconds. */
const PATIENCE_MS = 20_000;

/** @returns once every picture is there, or has failed: such a one stands in the letter as its name */
async function pictures(letter: HTMLElement | null): Promise<void> {
  const images = [...(letter?.querySelectorAll('img') ?? [])];
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([Promise.allSettled(images.map((image) => image.decode())), patience]);
}

type PrintIncidentProps = { incident: IncidentDetails; reporter: string | undefined };

export function PrintIncident({ incident, reporter }: PrintIncidentProps) {
  const queryClient = useQueryClient();
  const letter = useRef<HTMLDivElement>(null);
  const [withNotes, setWithNotes] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  const { save: run, busy } = useSave();

  async function print() {
    const photos = incident.evidence.filter(isPhoto);
    await Promise.all(photos.map((piece) => queryClient.ensureQueryData(evidenceLinks(piece))));
    flushSync(() => setDrawn(true));
    await pictures(letter.current);
    window.print();
  }
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <Field label="Internal notes" className="min-w-44">
        {(control) => (
          <Select
            {...control}
            value={withNotes ? 'included' : 'left out'}
            onChange={({ target }) => setWithNotes(target.value === 'included')}
          >
            <option value="left out">Left out</option>
            <option value="included">Included</option>
          </Select>
        )}
      </Field>
      <Button variant="secondary" busy={busy} onClick={() => void run(print)}>
        {!busy && <Printer aria-hidden="true" className="size-4.5" />}
        {busy ? 'Preparing...' : 'Print or save as PDF'}
      </Button>
      {isDrawn && (
        <IncidentLetter
          ref={letter}
          incident={incident}
          reporter={reporter}
          withNotes={withNotes}
        />
      )}
    </div>
  );
}
